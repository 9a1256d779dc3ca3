import { $, keep, remember } from "./remember.js";

const { state, change } = remember("weather", { unit: "Celsius", said: "" }, render);

function render() {
  $("said").textContent = state.said;
}

keep("unit", state, change);
$("show").addEventListener("click", () => change({ said: state.unit === "Celsius" ? "20 °C" : "68 °F" }));
render();
