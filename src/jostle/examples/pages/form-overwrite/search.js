document.addEventListener("DOMContentLoaded", () => {
  const parameters = new URLSearchParams(location.search);
  document.getElementById("q").value = parameters.get("q") ?? "";
});
