fetch("/api/ping").then(() => {
  document.getElementById("visits").textContent = "This visit was counted.";
});
