document.addEventListener("DOMContentLoaded", () => {
  const asked = new URLSearchParams(location.search);
  document.getElementById("q").value = asked.get("q") ?? "";
  document.getElementById("sort").value = asked.get("sort") ?? "name";
  document.getElementById("stock").checked = asked.has("stock");
});
