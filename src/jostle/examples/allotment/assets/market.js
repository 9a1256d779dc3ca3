import { $ } from "./remember.js";

const ask = async (what) => (await fetch(`api/${what}`)).json();

async function user() {
  const { name } = await ask("user");
  $("user").textContent = `Hello, ${name}`;
}

async function cart() {
  const { items } = await ask("cart");
  $("basket").textContent = `${items} things`;
}

$("basket").textContent = "empty";
user();
cart();
