import { find, on, say } from "./state.js";

let clicks = 0;
on("click", "click", () => say("click", ++clicks));
let doubles = 0;
on("double", "dblclick", () => say("double", ++doubles));
on("context", "contextmenu", (event) => {
  event.preventDefault();
  say("context", "menu");
});
on("hover-menu", "mouseenter", () => say("hover-menu", "open"));
on("hover-menu", "mouseleave", () => say("hover-menu", "closed"));
on("hover-item", "click", () => say("hover-menu", "chosen"));
on("touch", "touchstart", () => say("touch", "touched"));
on("touch", "touchend", () => say("touch", "released"));
on("wheel", "wheel", () => say("wheel", "turned"));
on("key", "keydown", (event) => say("key", event.key));
addEventListener("keydown", (event) => {
  if (event.ctrlKey && event.key === "k") {
    event.preventDefault();
    say("shortcut", "pressed");
  }
});

let dragged;
const list = find("drag-list");
list.addEventListener("dragstart", (event) => {
  dragged = event.target;
  event.dataTransfer.setData("text/plain", dragged.id);
});
list.addEventListener("dragover", (event) => event.preventDefault());
list.addEventListener("drop", (event) => {
  event.preventDefault();
  const target = event.target.closest("li");
  if (!target || target === dragged) return;
  const down = dragged.compareDocumentPosition(target) & Node.DOCUMENT_POSITION_FOLLOWING;
  target[down ? "after" : "before"](dragged);
  say("drag-list", Array.from(list.children, (item) => item.textContent).join(" "));
});
