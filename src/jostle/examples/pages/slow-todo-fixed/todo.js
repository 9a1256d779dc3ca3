import { FIRST, adviceOn, label, row } from "/slow-todo/row.js";

const editor = document.getElementById("editor");
const form = document.getElementById("form");
const priority = document.getElementById("priority");
const list = document.getElementById("tasks");
const add = document.getElementById("add");
const advice = document.getElementById("advice");
const said = document.getElementById("said");

const times = new Map();
let repeated = 0;

function note({ task }) {
  const before = times.get(task) ?? 0;
  if (before > 0) repeated += before === 1 ? 2 : 1;
  times.set(task, before + 1);
}

// The new task is shown at the end of the list while it is written.
function preview() {
  const words = list.lastElementChild.querySelector("label");
  words.lastChild.data = ` ${label({ task: form.task.value })}`;
}

function advise() {
  for (const choice of form.priority) {
    if (choice.checked) advice.textContent = adviceOn(choice.value);
  }
}

function open() {
  form.reset();
  advise();
  list.append(row({ task: "" }));
  editor.hidden = false;
  add.disabled = true;
}

function close() {
  list.lastElementChild.remove();
  editor.hidden = true;
  add.disabled = false;
}

add.addEventListener("click", open);
document.getElementById("cancel").addEventListener("click", close);
form.addEventListener("input", (event) => {
  if (event.target === form.task) preview();
});
priority.addEventListener("change", advise);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  const task = Object.fromEntries(new FormData(form));
  note(task);
  close();
  list.append(row(task));
  said.textContent = `Saved. Tasks that are there more than once: ${repeated}`;
});

FIRST.forEach(note);
list.append(...FIRST.map(row));
