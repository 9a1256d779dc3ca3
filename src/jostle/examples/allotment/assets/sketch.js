import { $, remember } from "./remember.js";

const { state, change } = remember("sketch", { drawn: [] }, render);

function render() {
  const paper = $("paper").getContext("2d");
  paper.clearRect(0, 0, 300, 120);
  state.drawn.forEach((thing, place) => {
    paper.fillStyle = thing === "tree" ? "#4c6b1f" : "#3f7f9f";
    paper.fillRect(10 + 40 * place, thing === "tree" ? 20 : 70, 30, thing === "tree" ? 80 : 30);
  });
  $("said").textContent = `${state.drawn.length} things drawn`;
}

for (const thing of ["tree", "pond"]) {
  $(thing).addEventListener("click", () => change({ drawn: [...state.drawn, thing] }));
}
screen.orientation.addEventListener("change", render);
render();
