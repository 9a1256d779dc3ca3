const versions = new Map();
function show(name, price, version) {
  if (version < (versions.get(name) ?? 0)) return;
  versions.set(name, version);
  document.getElementById(name).textContent = price;
}

const pushed = new WebSocket(`ws://${location.host}/ws/prices`);
pushed.addEventListener("message", (event) => {
  const { name, price, version, end } = JSON.parse(event.data);
  if (end) {
    document.getElementById("market").textContent = "closed";
    pushed.close();
  } else {
    show(name, price, version);
  }
});

fetch("/api/prices")
  .then((response) => response.json())
  .then((snapshot) => {
    for (const [name, { price, version }] of Object.entries(snapshot)) show(name, price, version);
  });
