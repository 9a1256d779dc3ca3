import { $, keep, remember } from "./remember.js";

const { state, change } = remember("note", { text: "", previewed: false }, render);

function render() {
  $("shown").textContent = state.previewed ? state.text : "";
}

keep("text", state, change);
$("preview").addEventListener("click", () => change({ previewed: true }));
render();
