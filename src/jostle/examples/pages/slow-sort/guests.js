import { insert } from "order";

const list = document.getElementById("guests");

document.getElementById("form").addEventListener("submit", (event) => {
  event.preventDefault();
  insert(list, new FormData(event.target).get("name"));
  document.getElementById("said").textContent = `${list.children.length} guests`;
  event.target.reset();
});

const FAMILY = "Berit Anders Daniel Cecilie Finn Emma Henrik Grethe Jens Ida Lars Karin Niels Mette Peter Olga";
for (const name of FAMILY.split(" ")) insert(list, name);
