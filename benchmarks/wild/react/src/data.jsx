import { createContext, useContext, useRef, useState } from "react";
import { api } from "./api.js";
import { fixed } from "./flags.js";
import { useToast } from "./ui.jsx";

const UNDO_TIME = 5000;

const DataContext = createContext(null);

export const useData = () => useContext(DataContext);

const byId = (list) => list.toSorted((a, b) => a.id - b.id);

function useFavourites(initial) {
  const toast = useToast();
  const [favourites, setFavourites] = useState(() => new Set(initial));
  const confirmed = useRef(favourites);
  const latest = useRef(new Map());

  const changed = (set, id, on) => {
    const next = new Set(set);
    if (on) next.add(id);
    else next.delete(id);
    return next;
  };
  const mark = (id, on) => setFavourites((current) => changed(current, id, on));
  const save = (id, favourite) => api.put(`/api/tours/${id}/favourite`, { favourite });

  async function toggle(id) {
    const wanted = !favourites.has(id);
    mark(id, wanted);
    try {
      const answer = await save(id, wanted);
      mark(id, answer.favourite);
    } catch {
      mark(id, !wanted);
      toast("The favourite could not be saved.");
    }
  }

  async function toggleInTurn(id) {
    const wanted = !favourites.has(id);
    mark(id, wanted);
    const turn = (latest.current.get(id) ?? Promise.resolve()).then(async () => {
      try {
        const answer = await save(id, wanted);
        confirmed.current = changed(confirmed.current, id, answer.favourite);
      } catch {
        toast("The favourite could not be saved.");
      }
      if (latest.current.get(id) === turn) mark(id, confirmed.current.has(id));
    });
    latest.current.set(id, turn);
  }

  return { favourites, toggleFavourite: fixed ? toggleInTurn : toggle };
}

function usePlans(initialPlans, initialArchived) {
  const toast = useToast();
  const [plans, setPlans] = useState(initialPlans);
  const [archived, setArchived] = useState(() => byId(initialArchived));
  const [undoable, setUndoable] = useState(null);
  const pending = useRef(null);
  const timer = useRef(null);

  function take() {
    const plan = pending.current;
    pending.current = null;
    setUndoable(null);
    return plan;
  }

  async function commit() {
    const plan = take();
    if (!plan) return;
    try {
      await api.post(`/api/plans/${plan.id}/archive`, {});
      setArchived((list) => byId([...list, plan]));
    } catch {
      setPlans((list) => byId([...list, plan]));
      toast(`${plan.name} could not be archived.`);
    }
  }

  function archive(plan) {
    if (fixed) {
      clearTimeout(timer.current);
      commit();
    }
    setPlans((list) => list.filter((each) => each.id !== plan.id));
    pending.current = plan;
    setUndoable(plan);
    timer.current = setTimeout(commit, UNDO_TIME);
  }

  function undoArchive() {
    clearTimeout(timer.current);
    const plan = take();
    if (plan) setPlans((list) => byId([...list, plan]));
  }

  return { plans, archived, undoable, archive, undoArchive };
}

export function DataProvider({ state, children }) {
  const toast = useToast();
  const [bookings, setBookings] = useState(state.bookings);

  const value = {
    tours: state.tours,
    regions: state.regions,
    difficulties: state.difficulties,
    bookings,
    addBooking(booking) {
      setBookings((list) => byId([...list, booking]));
      toast(`Booked: ${booking.name} on ${booking.date} for ${booking.people}.`);
    },
    ...useFavourites(state.favourites),
    ...usePlans(state.plans, state.archived),
  };
  return <DataContext value={value}>{children}</DataContext>;
}
