import { ROWS, row } from "/slow-articles/row.js";

let listed = 0;

export function list(element, articles) {
  for (const article of articles.slice(Math.max(listed, articles.length - ROWS))) {
    element.prepend(row(article));
    element.children[ROWS]?.remove();
  }
  listed = articles.length;
  return element.children.length;
}
