import { useData } from "./data.jsx";
import { Button } from "./ui.jsx";

export function PlansPage() {
  const { plans, archived, bookings, archive } = useData();
  return (
    <>
      <h1>My plans</h1>
      <section aria-labelledby="planned">
        <h2 id="planned">Planned ({plans.length})</h2>
        <ul className="rows">
          {plans.map((plan) => (
            <li key={plan.id}>
              <span>
                {plan.name}, {plan.region}
              </span>
              <Button aria-label={`Archive ${plan.name}`} onClick={() => archive(plan)}>
                Archive
              </Button>
            </li>
          ))}
        </ul>
      </section>
      <section aria-labelledby="archived">
        <h2 id="archived">Archived ({archived.length})</h2>
        <ul className="rows">
          {archived.map((plan) => (
            <li key={plan.id}>
              {plan.name}, {plan.region}
            </li>
          ))}
        </ul>
      </section>
      <section aria-labelledby="booked">
        <h2 id="booked">Booked ({bookings.length})</h2>
        <ul className="rows">
          {bookings.map((booking) => (
            <li key={booking.id}>
              {booking.name}, {booking.date}, {booking.people} people
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}
