import { useEffect, useState } from "react";
import { api } from "./api.js";
import { BookingDialog } from "./BookingDialog.jsx";
import { FavouriteButton } from "./FavouriteButton.jsx";
import { fixed } from "./flags.js";
import { Link } from "./router.jsx";
import { Button, useToast } from "./ui.jsx";
import { useUsage } from "./usage.js";

const TABS = [
  ["reviews", "Reviews"],
  ["weather", "Weather"],
  ["route", "Route"],
];

function useChapter(tour, tab) {
  const toast = useToast();
  const [items, setItems] = useState(null);

  useEffect(() => {
    let left = false;
    setItems(null);
    api.get(`/api/tours/${tour.id}/${tab}`).then(
      (answer) => {
        if (!left) setItems(answer);
      },
      () => {
        if (!left) toast("This part could not be loaded.");
      },
    );
    if (fixed) {
      return () => {
        left = true;
      };
    }
  }, [tour.id, tab, toast]);

  return items;
}

function Chapter({ items }) {
  if (!items) return <p className="quiet">Loading…</p>;
  return (
    <dl>
      {items.map((item) => (
        <div key={item.heading}>
          <dt>{item.heading}</dt>
          <dd>{item.text}</dd>
        </div>
      ))}
    </dl>
  );
}

export function Details({ tour }) {
  const [tab, setTab] = useState("reviews");
  const [booking, setBooking] = useState(false);
  const items = useChapter(tour, tab);
  useUsage(tour.id);

  return (
    <aside className="details" aria-label={`About ${tour.name}`}>
      <div className="actions">
        <h2>{tour.name}</h2>
        <Link to="/" aria-label="Close details">
          Close
        </Link>
      </div>
      <p>{tour.description}</p>
      <div className="actions">
        <Button kind="primary" onClick={() => setBooking(true)}>
          Book this tour
        </Button>
        <FavouriteButton tour={tour} />
      </div>
      <div className="tabs" role="tablist" aria-label="More about this tour">
        {TABS.map(([name, label]) => (
          <Button
            key={name}
            kind="tab"
            role="tab"
            id={`tab-${name}`}
            aria-selected={name === tab}
            aria-controls="chapter"
            onClick={() => setTab(name)}
          >
            {label}
          </Button>
        ))}
      </div>
      <div id="chapter" role="tabpanel" aria-labelledby={`tab-${tab}`} aria-busy={items === null}>
        <Chapter items={items} />
      </div>
      {booking && <BookingDialog tour={tour} onClose={() => setBooking(false)} />}
    </aside>
  );
}
