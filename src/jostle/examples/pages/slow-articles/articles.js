import { list } from "listing";

const articles = Array.from({ length: 38 }, (_, number) => ({ title: `Article ${number + 1}`, author: "editor" }));

function show() {
  const view = location.hash.slice(2) || "content";
  for (const section of document.querySelectorAll("[data-view]")) section.hidden = section.dataset.view !== view;
  if (view === "content") {
    const shown = list(document.getElementById("articles"), articles);
    document.getElementById("shown").textContent = `The newest ${shown} of ${articles.length} articles`;
  }
}

document.getElementById("form").addEventListener("submit", (event) => {
  event.preventDefault();
  const title = new FormData(event.target).get("title");
  articles.push({ title, author: "you" });
  document.getElementById("said").textContent = `${title} has been published.`;
  event.target.reset();
  location.hash = "#/saved";
});

addEventListener("hashchange", show);
show();
