import { item } from "./comment-item.js";

// Wrong: every comment is made anew each time, and for each all others are looked through.
export function place(list, comments, where) {
  const shown = Array.from(list.children, (node) => ({
    number: Number(node.dataset.number),
    author: node.dataset.author,
    date: node.querySelector(".facts").textContent.split(" · ").at(-1),
    text: node.querySelector(".comment-text").textContent,
  }));
  const all = where === "end" ? [...shown, ...comments] : [...comments, ...shown];
  list.replaceChildren();
  for (const comment of all) {
    let rank = 0;
    for (const other of all) {
      if (other.number < comment.number) rank += 1;
    }
    list.append(item({ ...comment, number: all[0].number + rank }));
  }
}
