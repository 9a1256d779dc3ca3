const show = (id, text) => { document.getElementById(id).textContent = text; };

navigator.serviceWorker.register("worker.js").then(
  () => navigator.serviceWorker.ready.then(() => show("worker", "ready")),
  () => show("worker", "refused"),
);

document.getElementById("ask").addEventListener("click", async () => {
  const response = await fetch("answer.json");
  show("answer", (await response.json()).from);
});
document.getElementById("ask").disabled = false;
