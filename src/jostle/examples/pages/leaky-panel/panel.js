export function opened(look) {
  window.addEventListener("click", (event) => look(event));
}

export function closed() {}
