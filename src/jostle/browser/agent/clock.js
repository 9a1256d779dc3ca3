// The page's time: it stands still within an event and moves only when the driver says so.
(jostle) => {
  const { native } = jostle;
  // Documents that can reach each other share one clock: none may see another's time run backwards.
  const shared = () => { try { return agentOf(parent === self ? opener : parent).clock; } catch { return undefined; } };
  const clock = (jostle.clock = (globalThis.document && shared()) ?? { start: 0, now: 0 });
  // A page that waits in a loop for time to pass would wait for ever: many readings within one event move time a little.
  const PATIENT_READINGS = 2000;
  let readings = 0;
  const read = () => {
    if (jostle.free) return native.now();
    if (++readings > PATIENT_READINGS) clock.now += 0.5;
    return clock.now;
  };
  jostle.onEnter((event, named) => { if (!named) readings = 0; });
  // Time passes within an event: the next frame of an animation.
  jostle.passTo = (time) => {
    readings = 0;
    clock.now = Math.max(clock.now, time);
  };

  const RealDate = native.Date;
  const realNow = RealDate.now;
  const wall = () => (jostle.free ? realNow() : Math.floor(clock.start + read()));
  jostle.wrap(RealDate, "now", () => ({ now() { return wall(); } }).now);
  const FakeDate = jostle.disguise(new Proxy(RealDate, {
    apply: () => new RealDate(wall()).toString(),
    construct: (target, args, newTarget) => native.construct(target, args.length ? args : [wall()], newTarget),
  }), RealDate);
  native.defineProperty(RealDate.prototype, "constructor", { value: FakeDate, writable: true, configurable: true, enumerable: false });
  native.defineProperty(globalThis, "Date", { value: FakeDate, writable: true, configurable: true, enumerable: false });

  jostle.wrap(Performance.prototype, "now", () => ({ now() { return read(); } }).now);
  jostle.wrapAccessor(Performance.prototype, "timeOrigin", ({ get }) => ({ get() { return jostle.free ? native.apply(get, this, []) : clock.start; } }));
  jostle.wrap(Performance.prototype, "mark", (original) => ({
    mark(name, options) {
      if (jostle.free) return native.apply(original, this, arguments);
      return native.apply(original, this, [name, { ...options, startTime: options?.startTime ?? clock.now }]);
    },
  }).mark);
  const stamps = new WeakMap(); // an event keeps the time at which it was first asked for it
  jostle.wrapAccessor(Event.prototype, "timeStamp", ({ get }) => ({
    get() {
      const real = native.apply(get, this, []);
      if (jostle.free) return real;
      if (!stamps.has(this)) stamps.set(this, clock.now);
      return stamps.get(this);
    },
  }));
  if (typeof File === "function") {
    jostle.wrapConstructor("File", (Target, [bits, name, options, ...rest], newTarget) => {
      const dated = jostle.free || options?.lastModified !== undefined ? options : { ...options, lastModified: wall() };
      return native.construct(Target, name === undefined ? [bits] : [bits, name, dated, ...rest], newTarget);
    });
  }

  const { DateTimeFormat } = Intl;
  const given = (date) => (date === undefined ? wall() : date);
  jostle.wrap(DateTimeFormat.prototype, "formatToParts", (original) => ({
    formatToParts(date) { return native.apply(original, this, [given(date)]); },
  }).formatToParts);
  const formats = new WeakMap();
  jostle.wrapAccessor(DateTimeFormat.prototype, "format", ({ get }) => ({
    get() {
      const format = native.apply(get, this, []);
      if (!formats.has(this)) formats.set(this, jostle.disguise({ format: (date) => format(given(date)) }.format, format));
      return formats.get(this);
    },
  }));
  if (globalThis.Temporal?.Now) {
    const { Instant, Now } = Temporal;
    const zoned = (zone) => Instant.fromEpochMilliseconds(wall()).toZonedDateTimeISO(zone ?? Now.timeZoneId());
    jostle.wrap(Now, "instant", () => ({ instant: () => Instant.fromEpochMilliseconds(wall()) }).instant);
    for (const [name, make] of [
      ["zonedDateTimeISO", zoned],
      ["plainDateTimeISO", (zone) => zoned(zone).toPlainDateTime()],
      ["plainDateISO", (zone) => zoned(zone).toPlainDate()],
      ["plainTimeISO", (zone) => zoned(zone).toPlainTime()],
    ]) jostle.wrap(Now, name, () => ({ [name]: (zone) => make(zone) })[name]);
  }
}
