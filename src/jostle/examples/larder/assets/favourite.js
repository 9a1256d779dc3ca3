import { ask } from "./api.js";
import { toast } from "./toast.js";

// The button waits for the server's answer before it can be pressed again.
export function favouriteButton(button, path) {
  button.addEventListener("click", async () => {
    button.disabled = true;
    const wanted = button.getAttribute("aria-pressed") !== "true";
    try {
      const { favourite, count } = await ask(wanted ? "PUT" : "DELETE", `${path}/favourite`);
      button.setAttribute("aria-pressed", favourite);
      document.getElementById("favourites").textContent = count;
    } catch {
      toast("Your favourites could not be changed.");
    }
    button.disabled = false;
  });
  button.disabled = false;
}
