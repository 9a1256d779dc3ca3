import { $, remember } from "./remember.js";

const { state, change } = remember("guide", { open: false, read: false }, render);

function render() {
  $("text").hidden = !state.open;
  $("pruning").setAttribute("aria-expanded", String(state.open));
  $("said").textContent = state.read ? "Read" : "";
}

$("pruning").addEventListener("click", () => change({ open: !state.open }));
$("read").addEventListener("click", () => change({ read: true }));

// On paper nothing can be opened, so all is.
addEventListener("beforeprint", () => change({ open: true }));
// Wrong: also what was open before is closed.
addEventListener("afterprint", () => change({ open: false }));
render();
