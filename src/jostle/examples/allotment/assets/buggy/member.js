import { $, keep, remember } from "./remember.js";

const { state, change } = remember("member", { name: "", said: "" }, render);
let member = JSON.parse(localStorage.getItem("member"));

function render() {
  $("said").textContent = state.said;
}

keep("name", state, change);
$("save").addEventListener("click", () => {
  member = { name: state.name };
  localStorage.setItem("member", JSON.stringify(member));
});
$("greet").addEventListener("click", () => change({ said: member ? `Hello, ${member.name}` : "Who are you?" }));

// Another tab may have saved another name.
addEventListener("storage", (event) => {
  member = event.newValue && JSON.parse(event.newValue).name ? JSON.parse(event.newValue) : null; // Wrong: any key
});
render();
