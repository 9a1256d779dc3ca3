import { ask } from "./api.js";
import { toast } from "./toast.js";

const form = document.getElementById("profile");

function fill(profile) {
  for (const name of ["display", "city", "bio"]) form.elements[name].value = profile[name];
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  try {
    await ask("PUT", "profile", { body: Object.fromEntries(new FormData(form)) });
    toast("Saved");
  } catch (error) {
    toast(error.message);
  }
});
document.getElementById("save").disabled = false;

// Wrong: the fields are open while the profile is on its way, and what was typed meanwhile is lost.
ask("GET", "profile").then(fill, () => toast("Your profile could not be loaded."));
