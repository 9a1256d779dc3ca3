const parentOrigin = new URLSearchParams(location.search).get("parent");
const greetings = document.getElementById("greetings");

const wave = document.getElementById("wave");
let waves = 0;

const tell = (message) => parent.postMessage(message, parentOrigin);

addEventListener("message", (event) => {
  if (event.origin !== parentOrigin || event.data.kind !== "greet") return;
  greetings.textContent = Number(greetings.textContent) + 1;
  tell({ kind: "answer", greetings: greetings.textContent });
});
wave.addEventListener("click", () => tell({ kind: "wave", waves: ++waves }));
wave.disabled = false;

tell({ kind: "ready" });
