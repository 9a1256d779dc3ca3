// The running event: its name, its time and its seed, told by the driver before anything happens.
(jostle) => {
  const { native } = jostle;
  const report = globalThis.reportError;
  const { find } = Array.prototype, getEntriesByType = performance.getEntriesByType.bind(performance);
  const starting = new List();
  jostle.free ??= false; // true: watch only, hold nothing
  jostle.activity = 0; // grows whenever something happened that may have consequences
  jostle.version = 0; // grows whenever what the user sees or can do may have changed
  jostle.current = { key: "" }; // the running event, once it has a name
  jostle.onEnter = (run) => starting.push(run);
  let turn = -1;
  // Input gets here before words that were sent earlier (see settle.js): the event has begun, its name follows.
  let nameless = false;
  jostle.beginNameless = () => {
    if (turn < 0 || nameless) return;
    const { entered } = jostle;
    jostle.enter({ ...entered, turn: turn + 1, now: jostle.clock.now + entered.tick, key: "", seed: entered.next });
    nameless = true;
  };
  let before = null; // the turn and the time before the running event
  jostle.enter = (event) => {
    const named = nameless && event.turn === turn;
    if (event.turn <= turn && !named) return; // heard already; a new document hears of the past as well
    nameless = false;
    if (!named) before = { turn, now: jostle.clock.now, entered: jostle.entered, current: jostle.current };
    turn = event.turn;
    jostle.entered = event;
    if (named) jostle.current.key = event.key;
    else jostle.current = { key: event.key };
    // Time never runs backwards, also when a page has spun on the clock.
    jostle.clock.start = event.start;
    jostle.clock.now = Math.max(jostle.clock.now, event.now);
    for (const run of starting) run(event, named);
  };
  // The event cannot be done after all: no time has passed, as in a run in which nobody tried.
  jostle.withdraw = (event) => {
    if (event.turn !== turn || before === null || before.turn < 0) return;
    turn = before.turn;
    jostle.clock.now = before.now;
    jostle.entered = before.entered;
    jostle.current = before.current;
    before = null;
  };
  // The first, empty document of a window is replaced without a new window, and nobody tells: what hangs on the document
  // is done again as soon as that is noticed, at the latest when the page does something that depends on the event.
  let document = null;
  const attending = new List();
  jostle.onDocument = (run) => attending.push(run);
  jostle.attend = () => {
    if (document === globalThis.document || !globalThis.document) return; // a worker has none
    document = globalThis.document;
    for (const run of attending) run(document);
    try {
      const said = native.apply(find, getEntriesByType("navigation")[0].serverTiming, [({ name }) => name === "jostle"]);
      if (said) jostle.enter(JSON.parse(decodeURIComponent(said.description)));
    } catch { /* not from a server */ }
  };
  // An exception out of a callback that we call ourselves becomes an uncaught exception, as it would have been.
  jostle.surface = (error) => report(error);
}
