import { $, keep, remember, show } from "./remember.js";

const { state, change } = remember("watering", { asking: false, litres: "", planned: "" }, render);

function render() {
  show($("asking"), state.asking);
  $("said").textContent = state.planned && `${state.planned} litres planned`;
}

keep("litres", state, change);
$("plan").addEventListener("click", () => change({ asking: true }));
$("save").addEventListener("click", () => change({ asking: false, planned: state.litres }));
addEventListener("resize", render);
render();
