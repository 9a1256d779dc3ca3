const HEIGHT = 32; // of a row, in pixels
const ROWS = 12;

const journal = document.getElementById("journal");
const rows = document.getElementById("rows");
const entries = Array.from({ length: 1000 }, (_, number) => `Entry ${number + 1}`);

function row(number) {
  const item = document.createElement("li");
  item.style.top = `${number * HEIGHT}px`;
  item.textContent = entries[number];
  return item;
}

function show() {
  const first = Math.min(Math.floor(journal.scrollTop / HEIGHT), entries.length - ROWS);
  rows.replaceChildren(...Array.from({ length: ROWS }, (_, place) => row(first + place)));
}

function measure() {
  rows.style.height = `${entries.length * HEIGHT}px`;
  document.getElementById("said").textContent = `${entries.length} entries`;
}

document.getElementById("form").addEventListener("submit", (event) => {
  event.preventDefault();
  entries.push(new FormData(event.target).get("entry"));
  event.target.reset();
  measure();
  show();
});
document.getElementById("first").addEventListener("click", () => { journal.scrollTop = 0; });
document.getElementById("last").addEventListener("click", () => { journal.scrollTop = rows.clientHeight; });
journal.addEventListener("scroll", show);

measure();
show();
document.getElementById("add").disabled = false;
