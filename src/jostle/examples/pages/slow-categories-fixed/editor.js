import { check } from "/slow-categories/check.js";

document.getElementById("save").addEventListener("click", ({ target }) => check(target.form));

export function openEditor(dialog) {
  dialog.showModal();
}
