import { ask } from "./api.js";
import { comments } from "./comments.js";
import { favouriteButton } from "./favourite.js";
import { addToShopping } from "./shopping-list.js";
import { toast } from "./toast.js";

const recipe = document.getElementById("recipe");
const path = `recipes/${recipe.dataset.id}`;

const like = document.getElementById("like");
like.addEventListener("click", async () => {
  like.disabled = true;
  try {
    const { likes } = await ask("POST", `${path}/like`);
    document.getElementById("likes").textContent = likes;
  } catch {
    toast("Your like was not counted.");
  }
  like.disabled = false;
});
like.disabled = false;

const favourite = document.getElementById("favourite");
if (favourite) favouriteButton(favourite, path);

comments(path);

// Amounts at the start of a line follow the number of servings.
const servings = document.getElementById("servings");
const usual = Number(servings.textContent);
const lines = Array.from(document.getElementById("ingredients").children, (line) => ({ line, text: line.textContent }));
function serve(number) {
  if (number < 1 || number > 20) return;
  servings.textContent = number;
  for (const { line, text } of lines) {
    line.textContent = text.replace(/^\d+/, (amount) => {
      const needed = amount * number / usual;
      return Number(needed.toFixed(needed < 10 ? 1 : 0));
    });
  }
}
const fewer = document.getElementById("fewer");
const more = document.getElementById("more-servings");
fewer.addEventListener("click", () => serve(Number(servings.textContent) - 1));
more.addEventListener("click", () => serve(Number(servings.textContent) + 1));

const shop = document.getElementById("shop");
shop.addEventListener("click", () => {
  addToShopping(lines.map(({ line }) => line.textContent));
  toast(`${recipe.dataset.title}: on the shopping list`);
});

for (const button of [fewer, more, shop]) button.disabled = false;
