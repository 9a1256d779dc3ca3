import { $, remember } from "./remember.js";

const { state, change } = remember("tasks", { open: false, done: [] }, render);
let others = new BroadcastChannel("tasks");

function render() {
  $("list").hidden = !state.open;
  for (const task of ["weed", "rake"]) $(task).checked = state.done.includes(task);
  $("said").textContent = `${state.done.length} done`;
}

for (const task of ["weed", "rake"]) {
  $(task).addEventListener("change", (event) => {
    const rest = state.done.filter((one) => one !== task);
    others.postMessage({ task, done: event.target.checked });
    change({ done: event.target.checked ? [...rest, task] : rest });
  });
}
$("open").addEventListener("click", () => change({ open: true }));

// An open channel keeps the browser from freezing the tab.
document.addEventListener("freeze", () => others.close());
document.addEventListener("resume", () => { others = new BroadcastChannel("tasks"); });
render();
