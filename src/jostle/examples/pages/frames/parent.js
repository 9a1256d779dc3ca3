// The same server under its other name is another origin.
const near = location.origin;
const far = new URL(location.origin);
far.hostname = location.hostname === "localhost" ? "127.0.0.1" : "localhost";

function connect(name, origin) {
  const frame = document.getElementById(name);
  const button = document.getElementById(`greet-${name}`);
  const answer = document.getElementById(`from-${name}`);
  const waves = document.getElementById(`waves-${name}`);

  addEventListener("message", ({ source, origin: sender, data }) => {
    if (source !== frame.contentWindow || sender !== origin) return;
    if (data.kind === "ready") button.disabled = false;
    if (data.kind === "answer") answer.textContent = `greeted ${data.greetings}`;
    if (data.kind === "wave") waves.textContent = `waved ${data.waves}`;
  });
  button.addEventListener("click", () => frame.contentWindow.postMessage({ kind: "greet" }, origin));

  frame.src = `${origin}/frames/child.html?parent=${encodeURIComponent(location.origin)}`;
}

connect("near", near);
connect("far", far.origin);
