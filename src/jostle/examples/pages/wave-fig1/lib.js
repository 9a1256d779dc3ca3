function fn() {
  document.getElementById("out").textContent = "hello from lib.js";
}
