import { $, fill, keep, remember } from "./remember.js";

const { state, change } = remember("diary", { today: "", entries: [] }, render);
const dark = matchMedia("(prefers-color-scheme: dark)");

function render() {
  document.body.className = dark.matches ? "night" : "day";
  $("today").value = state.today;
  fill($("list"), state.entries);
}

keep("today", state, change);
$("form").addEventListener("submit", (event) => {
  event.preventDefault();
  change({ entries: state.today ? [...state.entries, state.today] : state.entries, today: "" });
});
// Wrong: the form is made anew for the other colours, and empty.
dark.addEventListener("change", () => change({ today: "" }));
render();
