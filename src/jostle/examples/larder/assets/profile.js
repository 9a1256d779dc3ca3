import { ask } from "./api.js";
import { toast } from "./toast.js";

const form = document.getElementById("profile");
const fields = document.getElementById("profile-fields");

function fill(profile) {
  for (const name of ["display", "city", "bio"]) form.elements[name].value = profile[name];
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const body = Object.fromEntries(new FormData(form));
  fields.disabled = true;
  try {
    fill(await ask("PUT", "profile", { body }));
    toast("Saved");
  } catch (error) {
    toast(error.message);
  }
  fields.disabled = false;
});

// The fields are closed until the profile is there, so there is nothing that it could overwrite.
ask("GET", "profile").then(
  (profile) => {
    fill(profile);
    document.getElementById("save").disabled = false;
    fields.disabled = false;
  },
  () => toast("Your profile could not be loaded."),
);
