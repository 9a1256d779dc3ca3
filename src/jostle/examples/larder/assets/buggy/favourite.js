import { ask } from "./api.js";
import { toast } from "./toast.js";

// Wrong: the button can be pressed again at once, and each answer is believed whenever it arrives.
export function favouriteButton(button, path) {
  const count = document.getElementById("favourites");

  button.addEventListener("click", async () => {
    const wanted = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", wanted);
    count.textContent = Number(count.textContent) + (wanted ? 1 : -1);
    try {
      const answer = await ask(wanted ? "PUT" : "DELETE", `${path}/favourite`);
      button.setAttribute("aria-pressed", answer.favourite);
      count.textContent = answer.count;
    } catch {
      toast("Your favourites could not be changed.");
    }
  });
  button.disabled = false;
}
