import { $, fill, keep, remember } from "./remember.js";

const BEDS = [["Sage", "Herbs"], ["Thyme", "Herbs"], ["Carrots", "Roots"], ["Beetroot", "Roots"], ["Mint", "Herbs"]];
const { state, change } = remember("beds", { kind: "All", said: "" }, render);
const narrow = matchMedia("(max-width: 500px)");

const found = () => BEDS.filter(([, kind]) => state.kind === "All" || kind === state.kind).map(([name]) => name);

function render() {
  $("kind").value = state.kind;
  $("kind").style.width = narrow.matches ? "100%" : "";
  fill($("list"), found());
  $("said").textContent = state.said;
}

keep("kind", state, change);
$("count").addEventListener("click", () => change({ said: `${found().length} beds` }));
narrow.addEventListener("change", render);
render();
