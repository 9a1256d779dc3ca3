import { put, row } from "/slow-articles-crash/row.js";

export function begin(list, first) {
  list.append(...first.map(row));
}

export async function save(list, article) {
  const saved = await put([article]);
  if (saved) list.append(row(article));
  return saved;
}
