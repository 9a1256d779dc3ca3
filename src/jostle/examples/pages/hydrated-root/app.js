// The server has drawn the markup. Each element gets its handlers in a property, and the root listens for all of them.
const root = document.getElementById("root");
const find = (selector) => root.querySelector(selector);
const state = { singer: "", letter: false, claps: 0 };

const draw = () => {
  find("[name=singer]").value = state.singer;
  find("[name=letter]").checked = state.letter;
  find("output").textContent = state.claps;
};

const handlers = [
  ["form", { onSubmit(event) {
    event.preventDefault();
    const item = document.createElement("li");
    item.textContent = state.singer;
    find("ul").append(item);
    state.singer = "";
  } }],
  ["[name=singer]", { onInput(event) { state.singer = event.target.value; } }],
  ["[name=letter]", { onChange(event) { state.letter = event.target.checked; } }],
  ["[type=button]", { onClick() { state.claps += 1; } }],
  ["nav a", { onClick(event) {
    event.preventDefault();
    find("#view").textContent = "Come in time, bring a pencil.";
  } }],
];
for (const [selector, kept] of handlers) find(selector).__kept = kept;

for (const type of ["click", "submit", "input", "change"]) {
  root.addEventListener(type, (event) => {
    const name = `on${type[0].toUpperCase()}${type.slice(1)}`;
    for (let element = event.target; element && element !== root; element = element.parentElement) {
      if (!element.__kept?.[name]) continue;
      element.__kept[name](event);
      draw();
    }
  });
}
draw();
