function startShow() {
  document.getElementById("shown").textContent = photographs[1];
}
