// What a page knows of itself, kept as long as its tab: a page that is built anew looks as it did before.

export function remember(name, initial, render) {
  const state = { ...initial, ...JSON.parse(sessionStorage.getItem(name) || "{}") };
  const change = (changes) => {
    Object.assign(state, changes);
    sessionStorage.setItem(name, JSON.stringify(state));
    render();
  };
  return { state, change };
}

export const $ = (id) => document.getElementById(id);

/** A field shows what is remembered, and remembers what is typed or chosen. */
export function keep(id, state, change) {
  const field = $(id);
  field.value = state[id];
  field.addEventListener("input", () => change({ [id]: field.value }));
}

/** A dialog is open as long as the page remembers it to be. */
export function show(dialog, open) {
  if (open && !dialog.open) dialog.showModal();
  if (!open && dialog.open) dialog.close();
}

export function fill(list, texts) {
  list.replaceChildren(...texts.map((text) => {
    const item = document.createElement("li");
    item.textContent = text;
    return item;
  }));
}
