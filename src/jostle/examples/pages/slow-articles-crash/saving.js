import { put, row } from "./row.js";

let articles = [];

export function begin(list, first) {
  articles = first;
  list.replaceChildren(...articles.map(row));
}

export async function save(list, article) {
  const all = [...articles, article];
  const saved = await put(all);
  if (saved) begin(list, all);
  return saved;
}
