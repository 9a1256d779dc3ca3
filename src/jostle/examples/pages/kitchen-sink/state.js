// Says in words, next to a control, what happened to it.
export const find = (id) => document.getElementById(id);
export const say = (id, text) => { find(`${id}-state`).textContent = text; };
export const on = (id, type, handler) => find(id).addEventListener(type, handler);
