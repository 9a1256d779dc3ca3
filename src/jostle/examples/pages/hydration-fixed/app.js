// The server has made the markup; here it gets its behaviour.
const root = document.getElementById("root");

root.addEventListener("submit", (event) => {
  event.preventDefault();
  const item = document.createElement("li");
  item.textContent = new FormData(event.target).get("task");
  root.querySelector("ul").append(item);
  event.target.reset();
});

root.querySelector("fieldset").disabled = false;
