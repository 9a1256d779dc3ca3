const money = (amount) => amount.toLocaleString("en-GB", { style: "currency", currency: "GBP" });

function showPicked(list) {
  let total = 0;
  for (const aisle of list.querySelectorAll("[data-aisle]")) {
    let subtotal = 0;
    for (const line of aisle.querySelectorAll("li")) {
      const picked = line.querySelector("input").checked;
      const value = line.dataset.price * line.dataset.quantity;
      line.classList.toggle("picked", picked);
      line.querySelector(".value").textContent = picked ? money(value) : "";
      if (picked) subtotal += value;
    }
    aisle.querySelector(".subtotal").textContent = money(subtotal);
    total += subtotal;
  }
  document.getElementById("pick-value").textContent = money(total);
}

document.addEventListener("DOMContentLoaded", () => {
  const list = document.getElementById("pick-list");
  showPicked(list);
  list.addEventListener("change", () => showPicked(list));
});
