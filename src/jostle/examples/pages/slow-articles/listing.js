import { ROWS, row } from "./row.js";

export function list(element, articles) {
  const newest = articles.slice(-ROWS).reverse();
  element.replaceChildren(...newest.map(row));
  return newest.length;
}
