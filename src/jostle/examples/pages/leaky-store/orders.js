import { h, mount } from "/leaky-panel/view.js";
import { follow, tell } from "store";

const DISHES = ["Soup", "Bread", "Stew", "Salad", "Pie", "Cake"];
const ORDERS = Array.from({ length: 50 }, (_, n) => ({ table: n + 1, dish: DISHES[n % 6], ready: n % 4 === 0 }));
let leave = null;
let chosen = 0;
let total = "";

const render = mount(document.getElementById("app"), () => [
  h("nav", {}, h("button", { onclick: () => go("kitchen") }, "Kitchen"), " ", h("button", { onclick: () => go("bill") }, "Bill"), " ", h("button", { onclick: next }, "Next table")),
  h("table", {}, h("tbody", {}, ORDERS.map((order) => h("tr", { class: order.table === chosen + 1 ? "chosen" : "" }, h("td", {}, `Table ${order.table}`), h("td", {}, order.dish), h("td", {}, order.ready ? "ready" : ""))))),
  h("p", { id: "bill" }, total),
]);

function go(place) {
  leave?.();
  leave = place === "bill" ? follow(({ table }) => { total = table % 2 ? `Bill of table ${table}: 12.50` : `Bill of table ${table}: 9.80`; }) : null;
  if (place === "kitchen") total = "";
  render();
}

function next() {
  chosen = (chosen + 1) % 2;
  tell({ table: chosen + 1 });
  render();
}

render();
