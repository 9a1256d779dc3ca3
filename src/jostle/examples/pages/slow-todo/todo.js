import { FIRST, adviceOn, row } from "./row.js";

const editor = document.getElementById("editor");
const form = document.getElementById("form");
const priority = document.getElementById("priority");
const list = document.getElementById("tasks");
const add = document.getElementById("add");
const advice = document.getElementById("advice");
const said = document.getElementById("said");

const tasks = [...FIRST];

// The new task is shown at the end of the list while it is written.
function preview() {
  list.replaceChildren(...[...tasks, { task: form.task.value }].map(row));
}

function advise() {
  for (const choice of form.priority) {
    if (choice.checked) advice.textContent = adviceOn(choice.value);
  }
}

function open() {
  form.reset();
  advise();
  priority.addEventListener("change", () => advise());
  list.append(row({ task: "" }));
  editor.hidden = false;
  add.disabled = true;
}

function close() {
  list.lastElementChild.remove();
  editor.hidden = true;
  add.disabled = false;
}

function repeated() {
  const isRepeated = (one) => tasks.filter((other) => other.task === one.task).length > 1;
  return tasks.filter(isRepeated).length;
}

add.addEventListener("click", open);
document.getElementById("cancel").addEventListener("click", close);
form.addEventListener("input", (event) => {
  if (event.target === form.task) preview();
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  const task = Object.fromEntries(new FormData(form));
  tasks.push(task);
  close();
  list.append(row(task));
  said.textContent = `Saved. Tasks that are there more than once: ${repeated()}`;
});
list.addEventListener("change", (event) => {
  const place = [...list.children].indexOf(event.target.closest("li"));
  if (tasks[place]) tasks[place].done = event.target.checked;
});

list.append(...tasks.map(row));
