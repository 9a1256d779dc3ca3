const show = (id, text) => { document.getElementById(id).textContent = text; };

// The page is finished when each of these is.
const unfinished = new Set(["countdown", "fast", "slow", "polling", "chain"]);
function finish(part) {
  unfinished.delete(part);
  if (unfinished.size === 0) show("result", "all done: 10 seconds counted, 40 + 25 ticks, 10 polls, 30 links");
}

const tellTime = () => show("clock", new Date().toLocaleTimeString("en-GB"));
tellTime();
setInterval(tellTime, 1000);

let seconds = 10;
const countdown = setInterval(() => {
  seconds -= 1;
  show("countdown", seconds || "lift-off");
  if (seconds === 0) {
    clearInterval(countdown);
    finish("countdown");
  }
}, 1000);

function count(id, delay, last) {
  let ticks = 0;
  const timer = setInterval(() => {
    ticks += 1;
    show(id, ticks);
    if (ticks === last) {
      clearInterval(timer);
      finish(id);
    }
  }, delay);
}
count("fast", 250, 40);
count("slow", 400, 25);

async function poll(n) {
  const response = await fetch(`/api/progress?n=${n}`);
  const { percent, done } = await response.json();
  show("polling", `${percent} %`);
  if (done) finish("polling");
  else setTimeout(poll, 500, n + 1);
}
poll(1);

function link(n) {
  show("chain", n);
  if (n === 30) finish("chain");
  else setTimeout(link, 1000, n + 1);
}
setTimeout(link, 1000, 1);

let saving;
const note = document.getElementById("note");
note.addEventListener("input", () => {
  clearTimeout(saving);
  saving = setTimeout(() => show("saved", note.value ? `saved “${note.value}”` : "nothing saved"), 300);
});
if (note.value) note.dispatchEvent(new Event("input")); // typed before this script had loaded
