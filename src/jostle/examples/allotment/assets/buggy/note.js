import { $, keep } from "./remember.js";

// Wrong: the draft is gone when the page is loaded again.
const state = { text: "", previewed: false };
const change = (changes) => {
  Object.assign(state, changes);
  render();
};

function render() {
  $("shown").textContent = state.previewed ? state.text : "";
}

keep("text", state, change);
$("preview").addEventListener("click", () => change({ previewed: true }));
render();
