const entries = document.getElementById("entries");
const buttons = document.querySelectorAll("button");
let offset = 0;

function row(text) {
  const item = document.createElement("li");
  item.textContent = text;
  return item;
}

async function show(from) {
  for (const button of buttons) button.disabled = true;
  const response = await fetch(`/api/log?offset=${from}`);
  const answer = await response.json();
  offset = answer.offset;
  entries.start = offset + 1;
  entries.replaceChildren(...answer.entries.map(row));
  document.getElementById("said").textContent = `from the ${offset + 1}. on`;
  for (const button of buttons) button.disabled = false;
}

document.getElementById("newest").addEventListener("click", () => show(0));
document.getElementById("older").addEventListener("click", () => show(offset + 10));
show(0);
