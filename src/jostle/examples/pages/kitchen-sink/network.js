import { find, on, say } from "./state.js";

on("fetch", "click", async () => {
  const response = await fetch("/api/ping");
  say("fetch", (await response.json()).ok ? "answered" : "failed");
});

on("xhr", "click", () => {
  const request = new XMLHttpRequest();
  request.responseType = "json";
  request.open("GET", "/api/search?q=owl");
  request.onload = () => say("xhr", request.response.hits.join(", "));
  request.onerror = () => say("xhr", "failed");
  request.send();
});

window.showJsonp = ({ answer }) => say("jsonp", answer);
on("jsonp", "click", () => {
  const script = document.createElement("script");
  script.src = "/api/jsonp?callback=showJsonp";
  script.onload = () => script.remove();
  document.head.append(script);
});

on("stream", "click", async (event) => {
  const button = event.target;
  button.disabled = true;
  const response = await fetch("/api/stream");
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    text += chunk.value;
    say("stream", text.trim().split("\n").at(-1));
  }
  button.disabled = false;
});

const upload = find("upload");
const abort = find("abort");
upload.addEventListener("click", () => {
  const request = new XMLHttpRequest();
  const finish = (text) => {
    upload.disabled = false;
    abort.disabled = true;
    abort.onclick = null;
    say("upload", text);
  };
  request.open("POST", "/api/upload");
  request.onload = () => finish(`${JSON.parse(request.responseText).received} bytes`);
  request.onabort = () => finish("aborted");
  request.onerror = () => finish("failed");
  request.send(new Blob(["x".repeat(100_000)]));
  abort.onclick = () => request.abort();
  upload.disabled = true;
  abort.disabled = false;
});

on("image", "click", () => {
  const image = new Image();
  image.onload = () => say("image", `${image.naturalWidth} × ${image.naturalHeight}`);
  image.onerror = () => say("image", "failed");
  image.src = "/slideshow/image1.png";
});

on("stylesheet", "click", (event) => {
  event.target.disabled = true;
  const sheet = document.createElement("link");
  sheet.rel = "stylesheet";
  sheet.href = "extra.css";
  sheet.onload = () => say("stylesheet", "applied");
  document.head.append(sheet);
});

on("sync", "click", () => {
  const request = new XMLHttpRequest();
  request.open("GET", "/api/progress?n=3", false);
  request.send();
  say("sync", `${JSON.parse(request.responseText).percent} %`);
});
