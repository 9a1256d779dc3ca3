import { $, fill, remember } from "./remember.js";

const { state, change } = remember("forecast", { days: [] }, render);

function render() {
  fill($("list"), state.days);
}

const day = async (name) => (await (await fetch(`api/forecast/${name}`)).json()).text;

$("refresh").addEventListener("click", () => {
  change({ days: [] });
  // Wrong: the days come in the order of the answers.
  for (const name of ["today", "tomorrow"]) day(name).then((text) => change({ days: [...state.days, text] }));
});
render();
