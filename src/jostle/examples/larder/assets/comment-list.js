import { item } from "./comment-item.js";

// Adds comments at the start or end of the list; those already there stay as they are.
export function place(list, comments, where) {
  const nodes = comments.map(item);
  if (where === "end") list.append(...nodes);
  else list.prepend(...nodes);
}
