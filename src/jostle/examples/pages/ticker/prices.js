const pushed = new WebSocket(`ws://${location.host}/ws/prices`);
pushed.addEventListener("message", (event) => {
  const { name, price, end } = JSON.parse(event.data);
  if (end) {
    document.getElementById("market").textContent = "closed";
    pushed.close();
  } else {
    document.getElementById(name).textContent = price;
  }
});

fetch("/api/prices")
  .then((response) => response.json())
  .then((snapshot) => {
    for (const [name, { price }] of Object.entries(snapshot)) document.getElementById(name).textContent = price;
  });
