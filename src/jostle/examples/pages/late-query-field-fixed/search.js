document.addEventListener("DOMContentLoaded", () => {
  const asked = new URLSearchParams(location.search);
  const q = document.getElementById("q");
  const sort = document.getElementById("sort");
  const stock = document.getElementById("stock");
  if (q.value || sort.selectedIndex > 0 || stock.checked) return;
  q.value = asked.get("q") ?? "";
  sort.value = asked.get("sort") ?? "name";
  stock.checked = asked.has("stock");
});
