document.getElementById("map").addEventListener("load", () => {
  document.getElementById("status").textContent = "The map is complete";
});
