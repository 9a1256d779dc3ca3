// Each component finds its element, sets what it knows and begins to listen there.
const state = { loaves: localStorage.getItem("loaves") ?? "2" };
const hours = document.getElementById("hours");
const order = document.getElementById("order");
const loaves = document.getElementById("loaves");

hours.addEventListener("click", (event) => {
  event.preventDefault();
  document.getElementById("panel").hidden = false;
});
loaves.value = state.loaves;
loaves.addEventListener("input", () => { state.loaves = loaves.value; });
order.addEventListener("submit", (event) => {
  event.preventDefault();
  document.getElementById("said").textContent = `${state.loaves} loaves are put aside.`;
});
