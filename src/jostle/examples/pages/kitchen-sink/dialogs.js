import { find, on, say } from "./state.js";

on("details", "toggle", (event) => say("details", event.target.open ? "open" : "closed"));

const dialog = find("dialog");
on("open-dialog", "click", () => dialog.showModal());
dialog.addEventListener("close", () => say("open-dialog", dialog.returnValue || "dismissed"));

on("alert", "click", () => {
  alert("Look");
  say("alert", "seen");
});
on("confirm", "click", () => say("confirm", confirm("Sure?") ? "yes" : "no"));
on("prompt", "click", () => say("prompt", prompt("Your name?", "nobody") ?? "no answer"));

const ask = (event) => event.preventDefault();
on("leave", "change", (event) => {
  if (event.target.checked) addEventListener("beforeunload", ask);
  else removeEventListener("beforeunload", ask);
  say("leave", event.target.checked ? "on" : "off");
});
