"use strict";
// Two screens to compare: side by side, with a slider between them, in turn, or only what differs.
const comparing = pair => {
  const MODES = {
    side: ["Side by side", ""],
    slide: ["Slider", "Left of the line is the good order, right of it the bad one."],
    blink: ["In turn", "Both screens at the same place, one after the other."],
    differ: ["Only what differs", "What is black is the same in both."],
  };
  const make = (tag, attributes = {}, ...children) => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
  };
  const slider = make("input", { type: "range", min: 0, max: 100, value: 50 });
  const line = make("label", {}, "Good order up to here", slider);
  const other = make("button", { type: "button" }, "Show the other one");
  const pause = make("button", { type: "button" });
  const words = make("p", { class: "soft", role: "status" });
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  let timer = 0, mode = "side";

  const turn = () => pair.classList.toggle("turned");
  const going = on => {
    clearInterval(timer);
    timer = on ? setInterval(() => pair.isConnected ? turn() : clearInterval(timer), 900) : 0;
    pause.textContent = on ? "Pause" : "Go on";
  };
  const slide = () => {
    pair.style.setProperty("--at", `${slider.value}%`);
    slider.setAttribute("aria-valuetext", `${slider.value} percent good order, ${100 - slider.value} percent bad order`);
  };
  const set = wanted => {
    mode = wanted;
    pair.classList.remove("turned");
    pair.classList.toggle("over", mode !== "side");
    pair.dataset.mode = mode;
    for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset.mode === mode));
    line.hidden = mode !== "slide";
    other.hidden = pause.hidden = mode !== "blink";
    words.textContent = [MODES[mode][1], mode === "side" ? "" : told].filter(Boolean).join(" ");
    going(mode === "blink" && !calm);
  };
  const buttons = Object.entries(MODES).map(([key, [name]]) => {
    const button = make("button", { type: "button", "data-mode": key }, name);
    button.addEventListener("click", () => set(key));
    return button;
  });
  // The same in words, from the table of what differs.
  const rows = [...pair.closest(".body")?.querySelectorAll(".changes tbody tr") ?? []];
  const cell = (row, n) => row.cells[n].textContent.trim().replace(/\s+/g, " ").slice(0, 80);
  const value = (row, n) => row.cells[n].querySelector(".value") ? `“${cell(row, n)}”` : "nothing";
  const told = rows.length
    ? `In words: ${rows.slice(0, 3).map(row => `${cell(row, 0)}: ${value(row, 2)} instead of ${value(row, 1)}`).join("; ")}${rows.length > 3 ? `; and ${rows.length - 3} more` : ""}.`
    : "";
  slider.addEventListener("input", slide);
  other.addEventListener("click", () => { going(false); turn(); });
  pause.addEventListener("click", () => going(!timer));
  slide();
  set("side");
  return [make("div", { class: "compare", role: "group", "aria-label": "How to compare the two screens" }, ...buttons, line, other, pause), words];
};
