import { openEditor } from "editor";

const rows = document.getElementById("categories");
const dialog = document.getElementById("editor");
const form = document.getElementById("form");

document.getElementById("new").addEventListener("click", () => {
  form.reset();
  openEditor(dialog, form);
});
document.getElementById("cancel").addEventListener("click", () => dialog.close());

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const row = rows.insertRow();
  for (const value of new FormData(form).values()) row.insertCell().textContent = value;
  document.getElementById("said").textContent = `${rows.rows.length} categories`;
  dialog.close();
});
