function showBanner() {
  document.getElementById("banner").textContent = "Three loaves for the price of two";
}

if (document.readyState === "complete") showBanner();
else window.addEventListener("load", showBanner);
