import { noteAlias, sharedAliases } from "aliases";

const list = document.getElementById("items");
const said = document.getElementById("said");

function add(title) {
  const item = document.createElement("li");
  item.textContent = title;
  list.append(item);
  noteAlias(title.trim().toLowerCase().replace(/\W+/g, "-"));
}

function show() {
  const view = location.hash.slice(2);
  for (const section of document.querySelectorAll("[data-view]")) section.hidden = section.dataset.view !== view;
}

document.getElementById("item-form").addEventListener("submit", (event) => {
  event.preventDefault();
  add(new FormData(event.target).get("title"));
  said.textContent = `${list.children.length} items`;
  event.target.reset();
  location.hash = "#/";
});

document.getElementById("menu-form").addEventListener("submit", (event) => {
  event.preventDefault();
  said.textContent = `Menu saved. Items that share their alias with another: ${sharedAliases()}`;
  location.hash = "#/";
});

addEventListener("hashchange", show);
["Home", "Blog", "Contact"].forEach(add);
show();
