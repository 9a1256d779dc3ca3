// Wrong: until this deferred script has run, the link leads to another page.
const button = document.getElementById("categories");
button.addEventListener("click", (event) => {
  event.preventDefault();
  const list = document.getElementById("category-list");
  list.hidden = !list.hidden;
  button.setAttribute("aria-expanded", !list.hidden);
});
