// Timers. What is given as text is compiled by the browser under the page's policy, and is left alone.
(repair) => {
  if (!repair.about("timer")) return;
  const byHandle = new Map();
  let depth = 0;
  const call = (callback, args) => {
    depth++;
    try { repair.apply(callback, globalThis, args); } finally { depth--; }
  };
  const made = (type, delay) => {
    const event = repair.event("timer", { types: [type], delay: Math.max(0, Number(delay) | 0), nested: depth > 0 });
    return repair.concerns(event) ? event : null;
  };
  // Whoever throws throws as from a timer of the browser's.
  const surfacing = (callback, args) => () => {
    try { call(callback, args); } catch (error) { reportError(error); }
  };

  repair.wrap(globalThis, "setTimeout", (original) => ({
    setTimeout(callback, delay, ...args) {
      const event = typeof callback === "function" && made("timeout", delay);
      if (!event) return repair.apply(original, globalThis, arguments);
      repair.fork(event);
      const handle = repair.apply(original, globalThis, [() => {
        if (repair.emit(event, () => { byHandle.delete(handle); surfacing(callback, args)(); }) !== "dispatch") return;
        byHandle.delete(handle);
        call(callback, args);
      }, delay]);
      byHandle.set(handle, event);
      return handle;
    },
  }).setTimeout);
  repair.wrap(globalThis, "setInterval", (original) => ({
    setInterval(callback, delay, ...args) {
      const first = typeof callback === "function" && made("interval", delay);
      if (!first) return repair.apply(original, globalThis, arguments);
      let event = first, waits = false, handle = 0;
      const next = () => {
        waits = false;
        if (!byHandle.has(handle)) return;
        event = repair.event("timer", { types: first.types, delay: first.delay, nested: true, channel: `interval ${first.id}` });
        repair.fork(event);
        byHandle.set(handle, event);
      };
      repair.fork(event);
      handle = repair.apply(original, globalThis, [() => {
        if (waits) return; // one that waits stands for all that come meanwhile
        const run = surfacing(callback, args);
        const action = repair.emit(event, () => { next(); run(); });
        if (action !== "dispatch") waits = true;
        else {
          next();
          call(callback, args);
        }
      }, delay]);
      byHandle.set(handle, event);
      return handle;
    },
  }).setInterval);
  for (const name of ["clearTimeout", "clearInterval"]) {
    repair.wrap(globalThis, name, (original) => ({
      [name](handle) {
        const event = byHandle.get(Number(handle));
        byHandle.delete(Number(handle));
        repair.apply(original, globalThis, arguments);
        if (event) repair.end(event);
      },
    })[name]);
  }
}
