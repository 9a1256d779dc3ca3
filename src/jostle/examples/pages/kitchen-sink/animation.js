import { find, on, say } from "./state.js";

on("transition", "click", () => find("transition-box").classList.toggle("moved"));
on("transition-box", "transitionend", (event) => {
  say("transition", event.target.classList.contains("moved") ? "right" : "left");
});

on("animation", "click", () => find("animation-box").classList.add("bouncing"));
on("animation-box", "animationend", (event) => {
  event.target.classList.remove("bouncing");
  say("animation", "bounced");
});
