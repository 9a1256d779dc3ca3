import { useEffect, useRef, useState } from "react";
import { api } from "./api.js";
import { useData } from "./data.jsx";
import { fixed } from "./flags.js";
import { Button } from "./ui.jsx";

export function BookingDialog({ tour, onClose }) {
  const { addBooking } = useData();
  const dialog = useRef(null);
  const [sending, setSending] = useState(false);
  const [error, setError] = useState(null);
  const busy = fixed && sending;

  useEffect(() => {
    const element = dialog.current;
    element.showModal();
    return () => element.close();
  }, []);

  async function book(event) {
    event.preventDefault();
    if (busy) return;
    const { date, people } = Object.fromEntries(new FormData(event.currentTarget));
    setSending(true);
    setError(null);
    try {
      const booking = await api.post("/api/bookings", { tour: tour.id, date, people: Number(people) });
      addBooking(booking);
      onClose();
    } catch (reason) {
      setError(reason.message);
      setSending(false);
    }
  }

  return (
    <dialog
      ref={dialog}
      aria-labelledby="booking-title"
      onCancel={(event) => {
        event.preventDefault();
        if (!busy) onClose();
      }}
    >
      <form onSubmit={book}>
        <h2 id="booking-title">Book {tour.name}</h2>
        <label className="field">
          Day
          <select name="date">
            {tour.dates.map((date) => (
              <option key={date}>{date}</option>
            ))}
          </select>
        </label>
        <label className="field">
          People
          <input type="number" name="people" min="1" max="8" defaultValue="2" required />
        </label>
        {error && <p role="alert">{error}</p>}
        <div className="actions">
          <Button onClick={onClose} disabled={busy}>
            Cancel
          </Button>
          <Button type="submit" kind="primary" disabled={busy}>
            Book
          </Button>
        </div>
      </form>
    </dialog>
  );
}
