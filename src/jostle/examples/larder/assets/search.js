import { ask } from "./api.js";
import { showHits } from "./hits.js";

// Suggests recipes while the reader types. A new query, or leaving the field, gives up the one before.
export function searchAsYouType(field, list) {
  let controller = new AbortController();
  let waiting;

  function giveUp() {
    clearTimeout(waiting);
    controller.abort();
    controller = new AbortController();
  }

  function close() {
    giveUp();
    list.hidden = true;
  }

  async function search() {
    const { signal } = controller;
    try {
      const answer = await ask("GET", `search?q=${encodeURIComponent(field.value.trim())}`, { signal });
      if (!signal.aborted) showHits(list, answer);
    } catch {
      // Given up, or the server is away: suggestions are not worth a message.
    }
  }

  field.addEventListener("input", () => {
    giveUp();
    waiting = setTimeout(search, 150);
  });
  field.addEventListener("keydown", (event) => {
    if (event.key === "Escape") close();
  });
  document.addEventListener("click", (event) => {
    if (!field.form.contains(event.target)) close();
  });
  if (field.value) search(); // typed before this script had loaded
}
