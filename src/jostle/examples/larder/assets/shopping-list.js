import { root } from "./api.js";

const key = `${root} shopping list`;

export const readShopping = () => JSON.parse(localStorage.getItem(key) ?? "[]");
export const writeShopping = (entries) => localStorage.setItem(key, JSON.stringify(entries));

export function addToShopping(texts) {
  const entries = readShopping();
  const known = new Set(entries.map(({ text }) => text));
  writeShopping([...entries, ...texts.filter((text) => !known.has(text)).map((text) => ({ text, done: false }))]);
}
