function fn() {
  const out = document.getElementById("out");
  out.textContent = Number(out.textContent) + 1;
}
