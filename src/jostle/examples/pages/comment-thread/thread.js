import { h, mount } from "/leaky-panel/view.js";

const comments = [{ author: "Ada", text: "Nice weather for it." }];
const form = document.getElementById("form");

const render = mount(document.getElementById("thread"), () => comments.map(({ author, text }) => h("p", {}, h("strong", {}, author), ` ${text}`)));

form.addEventListener("submit", (event) => {
  event.preventDefault();
  comments.push({ author: "You", text: form.elements.text.value });
  form.reset();
  render();
});
render();
