// The page's time: it stands still within an event and moves only when the driver says so.
(jostle) => {
  const { native } = jostle;
  const clock = (jostle.clock = { start: 0, now: 0 });
  // A page that waits in a loop for time to pass would wait for ever: many readings within one event move time a little.
  const PATIENT_READINGS = 2000;
  let readings = 0;
  const read = () => {
    if (++readings > PATIENT_READINGS) clock.now += 0.5;
    return clock.now;
  };
  jostle.onEnter(() => { readings = 0; });

  const RealDate = native.Date;
  const wall = () => Math.floor(clock.start + read());
  const now = jostle.disguise({ now: () => wall() }.now, RealDate.now);
  const FakeDate = jostle.disguise(new Proxy(RealDate, {
    apply: () => new RealDate(wall()).toString(),
    construct: (target, args, newTarget) => native.construct(target, args.length ? args : [wall()], newTarget),
    get: (target, name, receiver) => (name === "now" ? now : Reflect.get(target, name, receiver)),
  }), RealDate);
  native.defineProperty(RealDate.prototype, "constructor", { value: FakeDate, writable: true, configurable: true, enumerable: false });
  native.defineProperty(globalThis, "Date", { value: FakeDate, writable: true, configurable: true, enumerable: false });

  jostle.wrap(Performance.prototype, "now", () => ({ now() { return read(); } }).now);
  jostle.wrapAccessor(Performance.prototype, "timeOrigin", () => ({ get() { return clock.start; } }));
  jostle.wrapAccessor(Event.prototype, "timeStamp", () => ({ get() { return clock.now; } }));
  for (const name of ["format", "formatToParts"]) {
    const own = native.getOwnPropertyDescriptor(Intl.DateTimeFormat.prototype, name);
    if (own?.value) {
      jostle.wrap(Intl.DateTimeFormat.prototype, name, (original) => ({ [name](date) { return native.apply(original, this, [date === undefined ? wall() : date]); } })[name]);
    } else if (own?.get) {
      jostle.wrapAccessor(Intl.DateTimeFormat.prototype, name, ({ get }) => ({
        get() {
          const format = native.apply(get, this, []);
          return (date) => format(date === undefined ? wall() : date);
        },
      }));
    }
  }
}
