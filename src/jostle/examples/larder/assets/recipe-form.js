const ingredients = document.getElementById("new-ingredients");

function count() {
  const number = ingredients.value.split("\n").filter((line) => line.trim()).length;
  document.getElementById("ingredient-count").textContent = number === 1 ? "1 ingredient" : `${number} ingredients`;
  ingredients.setCustomValidity(number === 1 ? "At least two ingredients, one a line." : "");
}
ingredients.addEventListener("input", count);
count();

const remove = document.getElementById("delete");
if (remove) {
  remove.addEventListener("click", (event) => {
    if (!confirm("Delete this recipe?")) event.preventDefault();
  });
  remove.disabled = false;
}
