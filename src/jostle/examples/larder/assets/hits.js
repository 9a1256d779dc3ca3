import { root } from "./api.js";

export function showHits(list, { query, hits }) {
  list.hidden = !query;
  list.replaceChildren(...hits.map((hit) => {
    const link = document.createElement("a");
    link.href = `${root}/recipes/${hit.id}`;
    const title = document.createElement("strong");
    title.textContent = hit.title;
    const facts = document.createElement("span");
    facts.textContent = `${hit.category} · ${hit.minutes} min`;
    link.append(title, facts);
    return link;
  }));
  if (!hits.length) list.textContent = `Nothing with “${query}”`;
}
