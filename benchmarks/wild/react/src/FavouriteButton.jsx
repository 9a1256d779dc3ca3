import { useData } from "./data.jsx";
import { Button } from "./ui.jsx";

export function FavouriteButton({ tour }) {
  const { favourites, toggleFavourite } = useData();
  const on = favourites.has(tour.id);
  return (
    <Button
      kind="heart"
      aria-pressed={on}
      aria-label={`Favourite ${tour.name}`}
      onClick={() => toggleFavourite(tour.id)}
    >
      {on ? "♥" : "♡"}
    </Button>
  );
}
