// Inside of a dedicated worker: time and chance of the event that spoke to it last, and an answer to the page's notes.
(jostle) => {
  const { native } = jostle;
  const CONTROL = "jostle:control"; // the same in workers.js
  const post = globalThis.postMessage;
  const say = (note) => native.apply(post, globalThis, [{ [CONTROL]: note }]);
  native.apply(native.addEventListener, globalThis, ["message", (event) => {
    const note = event.isTrusted && event.data?.[CONTROL];
    if (!note) return;
    event.stopImmediatePropagation();
    if (note.enter) jostle.enter(note.enter);
    if (note.ping) say({ pong: true });
  }]);
  const told = new Set();
  const free = (name) => {
    if (told.has(name)) return;
    told.add(name);
    say({ limit: name });
  };
  // They are inherited, and the timers are not there yet: the browser adds them right before the script runs.
  const inherited = (name) => Object.getPrototypeOf(globalThis)[name];
  for (const name of ["setTimeout", "setInterval", "requestAnimationFrame", "fetch"]) {
    const value = { [name]() { free(name); return native.apply(inherited(name), globalThis, arguments); } }[name];
    native.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: true });
  }
  for (const name of ["XMLHttpRequest", "WebSocket", "EventSource", "BroadcastChannel"]) {
    jostle.wrapConstructor(name, (Target, args, newTarget) => {
      free(name);
      return native.construct(Target, args, newTarget);
    });
  }
  say({ hello: true });
}
