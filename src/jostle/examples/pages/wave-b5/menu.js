function larger() {
  document.body.style.fontSize = "1.3rem";
}

function say(name, words) {
  document.getElementById(name).value = words;
}
