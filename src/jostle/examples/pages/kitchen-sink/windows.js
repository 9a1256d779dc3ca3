import { on, say } from "./state.js";

on("download", "click", () => say("download", "asked for"));
on("popup", "click", () => {
  const popup = open("popup.html", "popup", "width=300,height=200");
  say("popup", popup ? "open" : "blocked");
});
addEventListener("message", (event) => {
  if (event.origin === location.origin && event.data.from === "popup") say("popup", event.data.text);
});

addEventListener("hashchange", () => say("hash", location.hash || "none"));
let views = 0;
on("push", "click", () => {
  views += 1;
  history.pushState({ view: views }, "", `?view=${views}`);
  say("push", `view ${views}`);
});
on("back", "click", () => history.back());
addEventListener("popstate", (event) => say("back", event.state ? `view ${event.state.view}` : "start"));
