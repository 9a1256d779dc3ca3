document.querySelector(".link-search").addEventListener("click", (event) => {
  event.preventDefault();
  const menu = document.getElementById("menu");
  menu.hidden = !menu.hidden;
});
