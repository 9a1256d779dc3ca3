import { useDeferredValue, useEffect, useRef, useState } from "react";
import { api } from "./api.js";
import { useData } from "./data.jsx";
import { Details } from "./Details.jsx";
import { FavouriteButton } from "./FavouriteButton.jsx";
import { fixed } from "./flags.js";
import { Link } from "./router.jsx";
import { Select, useHydrated, useToast } from "./ui.jsx";

function useFilteredTours(difficulty, region) {
  const { tours: all } = useData();
  const toast = useToast();
  const [tours, setTours] = useState(all);
  const started = useRef(false);

  useEffect(() => {
    if (!started.current && !difficulty && !region) return;
    started.current = true;
    const controller = new AbortController();
    const query = new URLSearchParams({ difficulty, region });
    api
      .get(`/api/tours?${query}`, fixed ? { signal: controller.signal } : {})
      .then(setTours)
      .catch((error) => {
        if (error.name !== "AbortError") toast("The tours could not be loaded.");
      });
    if (fixed) return () => controller.abort();
  }, [difficulty, region, toast]);

  return tours;
}

function TourCard({ tour, open }) {
  return (
    <li className={open ? "card open" : "card"}>
      <h2>{tour.name}</h2>
      <p>
        {tour.region} · <span className={`level ${tour.difficulty}`}>{tour.difficulty}</span>
      </p>
      <p>
        {tour.kilometres} km · {tour.ascent} m up · {tour.hours} h
      </p>
      <div className="actions">
        <Link to={`/tours/${tour.id}`} aria-label={`Details of ${tour.name}`}>
          Details
        </Link>
        <FavouriteButton tour={tour} />
      </div>
    </li>
  );
}

export function ToursPage({ selected }) {
  const { tours: all, regions, difficulties, favourites } = useData();
  const hydrated = useHydrated();
  const [difficulty, setDifficulty] = useState("");
  const [region, setRegion] = useState("");
  const [search, setSearch] = useState("");
  const [onlyFavourites, setOnlyFavourites] = useState(false);
  const tours = useFilteredTours(difficulty, region);
  const wanted = useDeferredValue(search).trim().toLowerCase();

  const shown = tours.filter(
    (tour) => tour.name.toLowerCase().includes(wanted) && (!onlyFavourites || favourites.has(tour.id)),
  );
  const tour = selected && all.find((each) => each.id === selected);

  return (
    <>
      <h1>Guided tours</h1>
      <section className="filters" role="search" aria-label="Filter tours">
        <Select
          label="Difficulty"
          any="Any difficulty"
          options={difficulties}
          value={difficulty}
          onChange={setDifficulty}
        />
        <Select label="Region" any="All regions" options={regions} value={region} onChange={setRegion} />
        <label className="field">
          Name contains
          <input type="search" value={search} disabled={!hydrated} onChange={(event) => setSearch(event.target.value)} />
        </label>
        <label className="check">
          <input
            type="checkbox"
            checked={onlyFavourites}
            disabled={!hydrated}
            onChange={(event) => setOnlyFavourites(event.target.checked)}
          />
          Favourites only
        </label>
      </section>
      <div className="columns">
        <section aria-label="Tours">
          <p className="summary">{shown.length === 1 ? "1 tour" : `${shown.length} tours`}</p>
          <ul className="cards">
            {shown.map((each) => (
              <TourCard key={each.id} tour={each} open={each.id === selected} />
            ))}
          </ul>
        </section>
        {tour && <Details key={tour.id} tour={tour} />}
      </div>
    </>
  );
}
