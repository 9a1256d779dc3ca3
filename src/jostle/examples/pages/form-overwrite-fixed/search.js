document.addEventListener("DOMContentLoaded", () => {
  const wanted = new URLSearchParams(location.search).get("q");
  const field = document.getElementById("q");
  if (wanted !== null && field.value === field.defaultValue) field.value = wanted;
});
