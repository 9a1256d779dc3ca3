import { on, say } from "./state.js";

const speaker = new BroadcastChannel("sink");
const listener = new BroadcastChannel("sink");
let broadcasts = 0;
listener.onmessage = (event) => say("broadcast", `heard ${event.data}`);
on("broadcast", "click", () => speaker.postMessage(++broadcasts));

const { port1, port2 } = new MessageChannel();
let messages = 0;
port1.onmessage = (event) => say("channel", `got ${event.data}`);
on("channel", "click", () => port2.postMessage(++messages));

let posts = 0;
addEventListener("message", (event) => {
  if (event.source === window && event.data.to === "self") say("post", `posted ${event.data.number}`);
});
on("post", "click", () => postMessage({ to: "self", number: ++posts }, location.origin));

const worker = new Worker("worker.js");
let jobs = 0;
worker.onmessage = (event) => say("worker", `prime ${event.data}`);
on("worker", "click", () => worker.postMessage(++jobs));

on("timeout", "click", (event) => {
  event.target.disabled = true;
  setTimeout(() => {
    event.target.disabled = false;
    say("timeout", "over");
  }, 500);
});
on("idle", "click", () => requestIdleCallback(() => say("idle", "was idle"), { timeout: 5000 }));
on("frames", "click", (event) => {
  event.target.disabled = true;
  let frame = 0;
  requestAnimationFrame(function next() {
    frame += 1;
    say("frames", frame);
    if (frame < 20) requestAnimationFrame(next);
    else event.target.disabled = false;
  });
});
on("microtasks", "click", async () => {
  let sum = 0;
  for (let term = 1; term <= 100; term += 1) sum += await Promise.resolve(term);
  queueMicrotask(() => say("microtasks", sum));
});
