import { $, fill, remember } from "./remember.js";

const { state, change } = remember("forecast", { days: [] }, render);

function render() {
  fill($("list"), state.days);
}

const day = async (name) => (await (await fetch(`api/forecast/${name}`)).json()).text;

$("refresh").addEventListener("click", async () => {
  change({ days: await Promise.all(["today", "tomorrow"].map(day)) });
});
render();
