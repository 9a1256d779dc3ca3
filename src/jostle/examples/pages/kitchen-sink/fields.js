import { find, on, say } from "./state.js";

for (const id of ["text", "password", "email", "number", "search", "tel", "url", "suggest", "area", "range", "color",
  "date", "time", "month", "week", "datetime", "select"]) {
  on(id, "input", (event) => say(id, event.target.value || "empty"));
}
on("editable", "input", () => say("editable", find("editable").textContent));
on("checkbox", "change", (event) => say("checkbox", event.target.checked ? "on" : "off"));
for (const id of ["radio-a", "radio-b"]) on(id, "change", (event) => say("radio", event.target.value));
on("multiple", "change", (event) => {
  say("multiple", Array.from(event.target.selectedOptions, (option) => option.value).join(" ") || "none");
});
on("file", "change", async (event) => {
  const files = Array.from(event.target.files);
  const texts = await Promise.all(files.map((file) => file.text()));
  say("file", files.map((file, at) => `${file.name}: ${texts[at].length}`).join(", ") || "none");
});

on("form", "submit", (event) => {
  event.preventDefault();
  say("form", `sent ${new FormData(event.target).get("name")}`);
});
on("form", "reset", () => say("form", "reset"));
on("form-name", "invalid", () => say("form", "invalid"));
