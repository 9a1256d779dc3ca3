import { $, fill, keep, remember } from "./remember.js";

const { state, change } = remember("seeds", { packets: "", said: "", ordered: [] }, render);

function render() {
  $("said").textContent = state.said;
  fill($("list"), state.ordered.map((packets) => `${packets} packets`));
}

async function send(order) {
  const again = setTimeout(() => post(order), 800);
  const response = await post(order);
  clearTimeout(again);
  return response;
}

const post = (order) => fetch("api/orders", { method: "POST", body: JSON.stringify(order) });

keep("packets", state, change);
$("order").addEventListener("submit", async (event) => {
  event.preventDefault();
  await send({ packets: state.packets, key: "" }); // Wrong: what is sent again is another order.
  const ordered = await (await fetch("api/orders")).json();
  change({ said: "Thank you", ordered });
});
render();
