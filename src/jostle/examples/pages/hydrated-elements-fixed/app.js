// Each component finds its element, takes over what was entered and begins to listen there.
const order = document.getElementById("order");
const loaves = document.getElementById("loaves");

if (loaves.value === loaves.defaultValue) loaves.value = localStorage.getItem("loaves") ?? "2";
const state = { loaves: loaves.value };
loaves.addEventListener("input", () => { state.loaves = loaves.value; });
order.addEventListener("submit", (event) => {
  event.preventDefault();
  document.getElementById("said").textContent = `${state.loaves} loaves are put aside.`;
});
order.querySelector("button").disabled = false;
