import { $, keep, remember } from "./remember.js";

const { state, change } = remember("harvest", { kilograms: "", said: "" }, render);
let unsent = [];

function render() {
  $("said").textContent = state.said;
  $("net").textContent = navigator.onLine ? "" : "No network";
}

keep("kilograms", state, change);
$("weigh").addEventListener("click", () => {
  unsent.push(state.kilograms);
  change({ said: `${unsent.at(-1)} kg weighed` });
});
addEventListener("offline", render);
addEventListener("online", () => {
  unsent = [];
  render();
});
render();
