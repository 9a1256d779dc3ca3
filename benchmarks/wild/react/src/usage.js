import { useEffect } from "react";
import { fixed } from "./flags.js";

const LIMIT = 50;
const recorded = [];

function selectorOf(element) {
  const steps = [];
  for (let node = element; node; node = node.parentElement) {
    const name = node.localName;
    const alike = [...(node.parentElement?.children ?? [])].filter((child) => child.localName === name);
    steps.unshift(alike.length > 1 ? `${name}:nth-of-type(${alike.indexOf(node) + 1})` : name);
    const selector = steps.join(" > ");
    if (document.querySelectorAll(selector).length === 1) return selector;
  }
  return steps.join(" > ");
}

function cardsInView() {
  return [...document.querySelectorAll(".card")]
    .filter((card) => {
      const { top, bottom } = card.getBoundingClientRect();
      return bottom > 0 && top < window.innerHeight;
    })
    .map((card) => card.querySelector("h2").textContent);
}

function record(tour, event) {
  if (!(event.target instanceof Element)) return;
  recorded.push({ tour, type: event.type, selector: selectorOf(event.target), inView: cardsInView() });
  if (recorded.length > LIMIT) recorded.shift();
}

export function useUsage(tour) {
  useEffect(() => {
    const onEvent = (event) => record(tour, event);
    document.addEventListener("click", onEvent);
    document.addEventListener("keydown", onEvent);
    if (fixed) {
      return () => {
        document.removeEventListener("click", onEvent);
        document.removeEventListener("keydown", onEvent);
      };
    }
  }, [tour]);
}

export function sendUsageOnLeave() {
  window.addEventListener("pagehide", () => {
    if (recorded.length > 0) navigator.sendBeacon("/api/usage", JSON.stringify(recorded.splice(0)));
  });
}
