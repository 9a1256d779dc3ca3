export const FIRST = [
  { task: "Water the plants", priority: "Normal" },
  { task: "Return the books", priority: "High" },
  { task: "Repair the lamp", priority: "Low" },
];

const ADVICE = { High: "Today", Normal: "This week", Low: "Some time" };

export const adviceOn = (priority) => ADVICE[priority] ?? "";

export function label({ task, priority }) {
  return priority ? `${task} (${adviceOn(priority).toLowerCase()})` : task || "…";
}

export function row(task) {
  const item = document.createElement("li");
  const box = document.createElement("input");
  box.type = "checkbox";
  box.checked = task.done ?? false;
  const words = document.createElement("label");
  words.append(box, ` ${label(task)}`);
  item.append(words);
  return item;
}
