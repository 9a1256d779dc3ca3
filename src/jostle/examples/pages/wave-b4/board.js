// What the board at the side of the stage says.
function say(name, words) {
  document.querySelector(`output#${name}`).value = words;
}
