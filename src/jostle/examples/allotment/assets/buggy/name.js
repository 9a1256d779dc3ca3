import { $, keep, remember } from "./remember.js";

const { state, change } = remember("name", { name: "Plot 12", editing: false, text: "" }, render);

function render() {
  $("name").textContent = state.name;
  $("editor").hidden = !state.editing;
  $("rename").disabled = state.editing;
}

keep("text", state, change);
$("rename").addEventListener("click", () => change({ editing: true }));
$("done").addEventListener("click", () => change({ editing: false, name: state.text || state.name }));
// Wrong: who looks at another window is taken to have given up.
addEventListener("blur", () => change({ editing: false }));
render();
