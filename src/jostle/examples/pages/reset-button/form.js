document.getElementById("again").addEventListener("click", () => {
  document.getElementById("colour").value = "green";
});
