import { find, on, say } from "./state.js";

on("scroll", "scroll", (event) => say("scroll", event.target.scrollTop > 0 ? "scrolled" : "top"));

const items = find("infinite-items");
const sentinel = find("sentinel");
new IntersectionObserver((entries, observer) => {
  if (!entries.some((entry) => entry.isIntersecting)) return;
  for (let added = 0; added < 10; added += 1) {
    const item = document.createElement("li");
    item.textContent = `item ${items.children.length + 1}`;
    items.append(item);
  }
  say("infinite", items.children.length);
  if (items.children.length >= 50) {
    observer.disconnect();
    sentinel.textContent = "the end";
  }
}, { root: find("infinite") }).observe(sentinel);

const box = find("resize");
let grown = 0;
on("grow", "click", () => { box.style.width = `${5 + ++grown}rem`; });
new ResizeObserver(() => say("resize", grown ? `grown ${grown}` : "measured")).observe(box);

let seen = 0;
new MutationObserver((records) => {
  seen += records.length;
  say("mutation", seen);
}).observe(find("mutation"), { childList: true });
on("mutate", "click", () => find("mutation").append("* "));
