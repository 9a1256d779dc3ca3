function showMenu() {
  document.getElementById("items").hidden = false;
}
