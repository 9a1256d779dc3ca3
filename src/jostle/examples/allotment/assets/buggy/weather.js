import { $, keep, remember } from "./remember.js";

const { state, change } = remember("weather", { unit: "Celsius", said: "" }, render);

function render() {
  $("said").textContent = state.said;
}

// Wrong: who comes back is taken for somebody new.
if (performance.getEntriesByType("navigation")[0].type === "back_forward") change({ unit: "Celsius", said: "" });
keep("unit", state, change);
$("show").addEventListener("click", () => change({ said: state.unit === "Celsius" ? "20 °C" : "68 °F" }));
render();
