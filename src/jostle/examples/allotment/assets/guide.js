import { $, remember } from "./remember.js";

const { state, change } = remember("guide", { open: false, read: false }, render);
let before = false;

function render() {
  $("text").hidden = !state.open;
  $("pruning").setAttribute("aria-expanded", String(state.open));
  $("said").textContent = state.read ? "Read" : "";
}

$("pruning").addEventListener("click", () => change({ open: !state.open }));
$("read").addEventListener("click", () => change({ read: true }));

// On paper nothing can be opened, so all is.
addEventListener("beforeprint", () => {
  before = state.open;
  change({ open: true });
});
addEventListener("afterprint", () => change({ open: before }));
render();
