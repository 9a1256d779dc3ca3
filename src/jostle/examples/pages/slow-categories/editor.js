import { check } from "./check.js";

export function openEditor(dialog, form) {
  document.getElementById("save").addEventListener("click", () => check(form));
  dialog.showModal();
}
