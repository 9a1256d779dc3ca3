import { ask } from "./api.js";
import { place } from "./comment-list.js";
import { toast } from "./toast.js";

export function comments(path) {
  const list = document.getElementById("comments");
  const form = document.getElementById("comment-form");
  const fields = document.getElementById("comment-fields");
  const older = document.getElementById("older");

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const text = new FormData(form).get("text");
    fields.disabled = true;
    try {
      const { comment } = await ask("POST", `${path}/comments`, { body: { text } });
      place(list, [comment], "end");
      form.reset();
    } catch (error) {
      toast(error.message);
    }
    fields.disabled = false;
  });
  fields.disabled = false;

  older?.addEventListener("click", async () => {
    older.disabled = true;
    try {
      const first = list.firstElementChild.dataset.number;
      const answer = await ask("GET", `${path}/comments?before=${first}`);
      place(list, answer.comments, "start");
      older.hidden = !answer.older;
    } catch {
      toast("Older comments could not be loaded.");
    }
    older.disabled = false;
  });
  if (older) older.disabled = false;
}
