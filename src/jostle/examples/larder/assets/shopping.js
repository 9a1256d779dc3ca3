import { readShopping, writeShopping } from "./shopping-list.js";

const list = document.getElementById("shopping");
const clear = document.getElementById("clear-done");

function show() {
  const entries = readShopping();
  document.getElementById("shopping-empty").hidden = entries.length > 0;
  clear.disabled = !entries.some(({ done }) => done);
  list.replaceChildren(...entries.map(({ text, done }, at) => {
    const box = document.createElement("input");
    box.type = "checkbox";
    box.checked = done;
    box.addEventListener("change", () => {
      const current = readShopping();
      current[at].done = box.checked;
      writeShopping(current);
      clear.disabled = !current.some((entry) => entry.done);
    });
    const label = document.createElement("label");
    label.append(box, ` ${text}`);
    const line = document.createElement("li");
    line.append(label);
    return line;
  }));
}

clear.addEventListener("click", () => {
  writeShopping(readShopping().filter(({ done }) => !done));
  show();
});
show();
