// Dedicated workers run in a thread of their own; what they say is an event of the page. Whatever a worker does without
// waiting belongs to the event that spoke to it, or let an answer through to it: a note is sent after that, and comes back
// when the worker has come to rest.
(jostle) => {
  const { native } = jostle;
  const CONTROL = "jostle:control"; // the same in worker.js
  const start = { wait: 1500, sure: false };
  const states = new WeakMap();
  const post = globalThis.Worker?.prototype.postMessage;
  const unstarted = new Map(); // worker -> address of its script
  const nameOf = (url) => {
    const { pathname, protocol } = new URL(url, document.baseURI);
    return protocol === "blob:" || protocol === "data:" ? protocol.slice(0, -1) : pathname;
  };
  const say = (worker, note) => native.apply(post, worker, [{ [CONTROL]: note }]);
  // An event is over only when the worker has read everything it was told.
  const ask = (worker, state) => {
    if (!state.started || state.asked) return;
    state.asked = true;
    say(worker, { ping: true });
  };
  const enter = (worker, state) => {
    if (state.turn === jostle.entered?.turn) return;
    state.turn = jostle.entered?.turn;
    say(worker, { enter: { ...jostle.entered, now: jostle.clock.now } });
  };
  const expect = (worker, state) => {
    state.done();
    state.done = jostle.track(`worker ${state.name}`, start);
    if (state.asked) state.more = true;
    else ask(worker, state);
  };
  const running = new Set();
  // The event may let an answer through to it.
  jostle.onEnter(({ key }) => { if (key) for (const worker of running) enter(worker, states.get(worker)); });
  // One that has not come to rest since it was asked last is not waited for again.
  jostle.restWorkers = () => {
    for (const worker of running) if (!states.get(worker).asked) expect(worker, states.get(worker));
  };
  const control = (worker, state, note) => {
    if (note.hello) {
      state.started = true;
      running.add(worker);
      ask(worker, state);
    }
    if (note.limit) jostle.limit(`worker ${state.name} uses ${note.limit}: a worker runs free, when its messages come differs from run to run`);
    if (note.pong) {
      state.asked = false;
      if (state.more) {
        state.more = false;
        ask(worker, state);
      } else state.done();
    }
  };
  jostle.wrapConstructor("Worker", (Target, args, newTarget) => {
    const worker = native.construct(Target, args, newTarget);
    if (jostle.free) return worker;
    const address = new URL(args[0], document.baseURI).href;
    const name = nameOf(address);
    const channel = jostle.numbered(`worker ${name}`);
    const state = { name, started: false, asked: false, more: false, turn: -1, done: () => {} };
    states.set(worker, state);
    native.apply(native.addEventListener, worker, ["message", (event) => {
      const note = event.isTrusted && event.data?.[CONTROL];
      if (!note) return;
      native.apply(native.stopImmediatePropagation, event, []);
      control(worker, state, note);
    }, { capture: true }]);
    native.apply(native.addEventListener, worker, ["error", () => state.done(), { capture: true }]);
    if (!/^(blob|data):/.test(address)) unstarted.set(worker, address); // its script is yet to come
    else state.done = jostle.track(`the start of worker ${name}`, start);
    jostle.stop(worker, channel, jostle.current);
    return worker;
  });
  // The script of a worker is let in: what the worker says at its start belongs to the event.
  jostle.startWorkers = (url) => {
    unstarted.forEach((address, worker) => {
      if (jostle.dom.split(address, "#")[0] !== url) return;
      unstarted.delete(worker);
      const state = states.get(worker);
      state.done = jostle.track(`the start of worker ${state.name}`, start);
    });
  };
  jostle.wrap(globalThis.Worker?.prototype, "postMessage", (original) => ({
    postMessage() {
      const state = states.get(this);
      if (!state || jostle.free) return native.apply(original, this, arguments);
      enter(this, state);
      native.apply(original, this, arguments);
      if (!state.started) return;
      expect(this, state);
    },
  }).postMessage);
  jostle.wrap(globalThis.Worker?.prototype, "terminate", (original) => ({
    terminate() {
      states.get(this)?.done();
      unstarted.delete(this);
      running.delete(this);
      return native.apply(original, this, arguments);
    },
  }).terminate);
  jostle.wrapConstructor("SharedWorker", (Target, args, newTarget) => {
    const worker = native.construct(Target, args, newTarget);
    jostle.stop(worker.port, jostle.numbered(`shared worker ${nameOf(args[0])}`), jostle.current);
    jostle.limit("a shared worker runs outside of the page and is not controlled; only its messages are");
    return worker;
  });
}
