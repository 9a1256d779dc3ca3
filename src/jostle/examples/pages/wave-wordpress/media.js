function openLibrary() {
  document.getElementById("library").hidden = false;
}
