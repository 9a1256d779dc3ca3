// Lays the two screens of a race over each other, with a slider between them. Without this they stand side by side.
"use strict";
for (const pair of document.querySelectorAll("h4 + .pair")) {
  if (pair.querySelectorAll("image").length !== 2) continue;
  const bar = document.createElement("div");
  const button = document.createElement("button");
  const label = document.createElement("label");
  const slider = document.createElement("input");
  bar.className = "compare";
  button.type = "button";
  button.textContent = "One over the other";
  button.setAttribute("aria-pressed", "false");
  Object.assign(slider, { type: "range", min: 0, max: 100, value: 50 });
  label.append("Good order up to here", slider);
  label.hidden = true;
  bar.append(button, label);
  button.addEventListener("click", () => {
    label.hidden = !pair.classList.toggle("over");
    button.setAttribute("aria-pressed", String(!label.hidden));
  });
  slider.addEventListener("input", () => pair.style.setProperty("--at", `${slider.value}%`));
  pair.before(bar);
}
