import { $, keep, remember } from "./remember.js";

const { state, change } = remember("minutes", { me: crypto.randomUUID(), editing: false, text: "", said: "" }, render);
const editor = () => localStorage.getItem("editor");

function render() {
  $("editor").hidden = !state.editing;
  $("save").disabled = editor() !== state.me;
  $("said").textContent = state.said;
}

keep("text", state, change);
$("edit").addEventListener("click", () => {
  localStorage.setItem("editor", state.me);
  change({ editing: true });
});
$("save").addEventListener("click", () => change({ editing: false, said: "Saved" }));
addEventListener("storage", (event) => {
  if (event.key === "editor") render();
});
render();
