import { h, mount } from "./view.js";
import { closed, opened } from "panel";

const SENDERS = ["Ada", "Björn", "Chen", "Dilek", "Emeka"];
const MAILS = Array.from({ length: 60 }, (_, n) => ({ from: SENDERS[n % 5], subject: `Minutes of meeting ${n + 1}`, unread: n % 3 === 0 }));
let panel = false;
let theme = "Light";

const row = (mail) =>
  h("tr", { class: mail.unread ? "unread" : "read" }, h("td", {}, mail.from), h("td", {}, mail.subject), h("td", {}, mail.unread ? "new" : ""));

const render = mount(document.getElementById("app"), () => [
  h("p", {}, h("button", { onclick: toggle }, panel ? "Close details" : "Show details"), " ", h("button", { onclick: dress }, "Theme"), ` ${theme}`),
  h("table", {}, h("tbody", {}, MAILS.map(row))),
  h("aside", { id: "details", hidden: panel ? false : "" }, `${MAILS.filter((mail) => mail.unread).length} unread`),
]);

function toggle() {
  panel = !panel;
  if (panel) opened(look);
  else closed(look);
  render();
}

function dress() {
  theme = theme === "Light" ? "Dark" : "Light";
  render();
}

// A click beside the panel may one day close it.
function look(event) {
  const details = document.getElementById("details");
  if (!panel || !details) return;
  if (event.target.closest("aside")) details.dataset.touched = "yes";
}

render();
