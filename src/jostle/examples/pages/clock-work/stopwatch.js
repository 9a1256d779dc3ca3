const part = (id) => document.getElementById(id);
const show = (id, text) => { part(id).textContent = text; };

let started = 0;
let ticking = 0;

const seconds = () => `${((performance.now() - started) / 1000).toFixed(1)} s`;

function run(running) {
  part("start").disabled = running;
  part("stop").disabled = !running;
  part("lap").disabled = !running;
}

part("start").addEventListener("click", () => {
  started = performance.now();
  ticking = setInterval(() => show("watch", seconds()), 100);
  run(true);
});
part("stop").addEventListener("click", () => {
  clearInterval(ticking);
  run(false);
});
part("lap").addEventListener("click", () => {
  const lap = document.createElement("li");
  lap.textContent = seconds();
  part("laps").prepend(lap);
  part("laps").lastElementChild.remove();
});

function turn(now) {
  part("needle").style.transform = `rotate(${(now / 1000) * 6}deg)`;
  requestAnimationFrame(turn);
}

async function poll() {
  const { ok } = await fetch("/api/ping");
  show("server", ok ? "up" : "down");
}

const tellTime = () => show("clock", new Date().toLocaleTimeString("en-GB"));
setInterval(tellTime, 1000);
setInterval(poll, 5000);
tellTime();
requestAnimationFrame(turn);
