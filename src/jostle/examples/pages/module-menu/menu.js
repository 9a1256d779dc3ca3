const menu = document.getElementById("menu");

document.getElementById("contents").addEventListener("click", (event) => {
  event.preventDefault();
  menu.hidden = !menu.hidden;
});
