window.addEventListener("load", () => {
  document.getElementById("banner").textContent = "Three loaves for the price of two";
});
