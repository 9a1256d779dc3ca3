import { ask, root } from "./api.js";
import { toast } from "./toast.js";

const list = document.getElementById("recipes");
const button = document.getElementById("more");
let page = 1;

// The first card, filled anew.
function card(recipe) {
  const copy = list.firstElementChild.cloneNode(true);
  copy.href = `${root}/recipes/${recipe.id}`;
  copy.querySelector("img").src = `${root}/pictures/${recipe.id}.svg`;
  copy.querySelector(".tag").textContent = recipe.category;
  copy.querySelector("strong").textContent = recipe.title;
  copy.querySelector(".summary").textContent = recipe.summary;
  copy.querySelector(".facts").textContent = `${recipe.minutes} min · ${recipe.likes} likes`;
  return copy;
}

button.addEventListener("click", async () => {
  button.disabled = true;
  try {
    const category = encodeURIComponent(list.dataset.category);
    const { recipes, more } = await ask("GET", `recipes?page=${page + 1}&category=${category}`);
    page += 1;
    list.append(...recipes.map(card));
    button.hidden = !more;
  } catch {
    toast("The recipes could not be loaded.");
  }
  button.disabled = false;
});
button.disabled = false;
