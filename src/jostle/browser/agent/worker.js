// Inside of a dedicated worker: time and chance of the event that spoke to it last. Its requests are held like the page's,
// and it tells the page when everything that it could do has been done.
(jostle) => {
  const { native } = jostle;
  const CONTROL = "jostle:control"; // the same in workers.js
  const CALM_TURNS = 3;
  const LONGEST_MS = 300; // a body may be a stream without end
  const post = globalThis.postMessage;
  const say = (note) => native.apply(post, globalThis, [{ [CONTROL]: note }]);
  const told = new Set();
  const free = (name) => {
    if (told.has(name)) return;
    told.add(name);
    say({ limit: name });
  };
  // They are inherited, and not there yet: the browser adds them right before the script runs.
  const inherited = (name) => Object.getPrototypeOf(globalThis)[name];
  for (const name of ["setTimeout", "setInterval", "requestAnimationFrame"]) {
    const value = { [name]() { free(name); return native.apply(inherited(name), globalThis, arguments); } }[name];
    native.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: true });
  }
  for (const name of ["WebSocket", "EventSource", "BroadcastChannel"]) {
    jostle.wrapConstructor(name, (Target, args, newTarget) => {
      free(name);
      return native.construct(Target, args, newTarget);
    });
  }

  // Reading an answer that has come takes the browser a moment.
  let reading = 0;
  for (const name of ["arrayBuffer", "blob", "bytes", "formData", "json", "text"]) {
    jostle.wrap(Response.prototype, name, (original) => ({
      [name]() {
        const result = native.apply(original, this, arguments);
        const done = () => { reading--; };
        reading++;
        native.apply(native.then, result, [done, done]);
        return result;
      },
    })[name]);
  }
  const rest = async () => {
    const start = native.now();
    for (let calm = 0; calm < CALM_TURNS && native.now() - start < LONGEST_MS; calm = reading ? 0 : calm + 1) await jostle.nextTask();
  };

  native.apply(native.addEventListener, globalThis, ["message", (event) => {
    const note = event.isTrusted && event.data?.[CONTROL];
    if (!note) return;
    event.stopImmediatePropagation();
    if (note.enter) jostle.enter(note.enter);
    if (note.ping) native.apply(native.then, rest(), [() => say({ pong: true })]);
  }]);
  say({ hello: true });
}
