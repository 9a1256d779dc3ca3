export function opened(look) {
  window.addEventListener("click", look);
}

export function closed(look) {
  window.removeEventListener("click", look);
}
