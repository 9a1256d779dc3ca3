import { begin, save } from "saving";

const list = document.getElementById("articles");
const fields = document.getElementById("fields");
const failed = document.getElementById("failed");
let last = 0;

function article(title) {
  last += 1;
  const path = `/articles/${last}`;
  return { id: last, title, path, author: "editor", language: "en", status: "published", format: "basic_html" };
}

document.getElementById("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const title = new FormData(event.target).get("title");
  fields.disabled = true;
  const saved = await save(list, article(title));
  failed.hidden = saved;
  if (saved) event.target.reset();
  fields.disabled = false;
});

begin(list, ["Spring fair", "Opening hours", "Our new library", "How to find us"].map(article));
