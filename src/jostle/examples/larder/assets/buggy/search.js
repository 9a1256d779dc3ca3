import { ask } from "./api.js";
import { showHits } from "./hits.js";

// Wrong: whichever answer arrives last is shown, also when it belongs to an older query.
export function searchAsYouType(field, list) {
  let waiting;

  async function search() {
    showHits(list, await ask("GET", `search?q=${encodeURIComponent(field.value.trim())}`));
  }

  field.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(search, 150);
  });
  field.addEventListener("keydown", (event) => {
    if (event.key === "Escape") list.hidden = true;
  });
  document.addEventListener("click", (event) => {
    if (!field.form.contains(event.target)) list.hidden = true;
  });
  if (field.value) search();
}
