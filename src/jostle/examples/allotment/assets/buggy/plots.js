import { $, remember, show } from "./remember.js";

const { state, change } = remember("plots", {
  names: ["By the gate", "By the well", "Under the oak"], chosen: [], listed: false, menu: false, asking: false,
}, render);

function render() {
  $("plots").hidden = !state.listed;
  $("plots").replaceChildren(...state.names.map((name, place) => {
    const row = document.createElement("li");
    row.textContent = name;
    row.className = state.chosen.includes(place) ? "chosen" : "";
    row.addEventListener("contextmenu", (event) => {
      event.preventDefault();
      change({ chosen: [...state.chosen, place], menu: true });
    });
    return row;
  }));
  $("menu").hidden = !state.menu;
  show($("sure"), state.asking);
}

$("list-plots").addEventListener("click", () => change({ listed: true }));
$("delete").addEventListener("click", () => change({ menu: false, asking: true }));
$("no").addEventListener("click", () => change({ asking: false }));
$("yes").addEventListener("click", () => {
  change({ names: state.names.filter((_, place) => !state.chosen.includes(place)), chosen: [], asking: false });
});

// The list may be out of date when somebody looks at it again.
document.addEventListener("visibilitychange", () => {
  // Wrong: what was chosen is forgotten, so that Yes gives up nothing.
  if (!document.hidden) change({ chosen: [] });
});
render();
