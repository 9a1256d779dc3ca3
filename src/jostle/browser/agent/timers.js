// Timers, animation frames and idle callbacks: kept unarmed until the driver fires them.
(jostle) => {
  const { native, clock } = jostle;
  const FRAME = 1000 / 60;
  let lastHandle = 0;
  let order = 0;
  const byHandle = new Map(); // the page's timer id -> the held id

  const arm = (handle, callback, args, delay, repeats, site) => {
    const name = repeats ? "interval" : "timeout";
    const entry = { kind: "timer", what: `${name} ${delay} at ${site}`, function: name, site, delay, due: clock.now + delay, interval: repeats, registered: ++order };
    const id = jostle.hold(entry, () => {
      if (repeats) arm(handle, callback, args, delay, true, site);
      else byHandle.delete(handle);
      jostle.later(callback, args);
    });
    byHandle.set(handle, id);
    jostle.onArmed?.(handle, id);
  };
  const cancel = (handle) => {
    const id = byHandle.get(Number(handle));
    if (id === undefined) return;
    byHandle.delete(Number(handle));
    jostle.unhold(id);
  };
  const delayOf = (value) => Math.max(0, Number(value) | 0); // as the browser does: what does not fit wraps around
  // A text is compiled by the browser when its time has come, under the page's policy.
  const Trusted = globalThis.TrustedScript ?? Function;
  const handler = (value) => (typeof value === "function" || value instanceof Trusted ? value : String(value));

  jostle.wrap(globalThis, "setTimeout", (original) => ({
    setTimeout(callback, delay, ...args) {
      if (jostle.free || !arguments.length) return native.apply(original, globalThis, arguments);
      arm(++lastHandle, handler(callback), args, delayOf(delay), false, jostle.site());
      return lastHandle;
    },
  }).setTimeout);
  jostle.wrap(globalThis, "setInterval", (original) => ({
    setInterval(callback, delay, ...args) {
      if (jostle.free || !arguments.length) return native.apply(original, globalThis, arguments);
      arm(++lastHandle, handler(callback), args, Math.max(1, delayOf(delay)), true, jostle.site());
      return lastHandle;
    },
  }).setInterval);
  for (const name of ["clearTimeout", "clearInterval"]) {
    jostle.wrap(globalThis, name, (original) => ({
      [name](handle) {
        if (jostle.free) return native.apply(original, globalThis, [handle]);
        cancel(handle);
      },
    })[name]);
  }

  // All callbacks of a document that ask for the next frame run together, in order: one event.
  let frame = null;
  let frameHandle = 0;
  let running = new Map(); // of the frame under way: the page's handle -> the browser's timer
  jostle.wrap(globalThis, "requestAnimationFrame", (original) => ({
    requestAnimationFrame(callback) {
      if (jostle.free || typeof callback !== "function") return native.apply(original, globalThis, arguments);
      if (!frame) {
        const callbacks = (frame = new Map());
        callbacks.due = clock.now + FRAME;
        callbacks.id = jostle.hold({ kind: "frame", what: "animation frame", due: callbacks.due, delay: FRAME }, () => {
          frame = null;
          running = new Map();
          callbacks.forEach((run, handle) => running.set(handle, jostle.later(run, [clock.now])));
        });
      }
      frame.set(++frameHandle, callback);
      return frameHandle;
    },
  }).requestAnimationFrame);
  jostle.wrap(globalThis, "cancelAnimationFrame", (original) => ({
    cancelAnimationFrame(handle) {
      if (jostle.free) return native.apply(original, globalThis, arguments);
      native.apply(native.clearTimeout, globalThis, [running.get(Number(handle))]);
      if (!frame?.delete(Number(handle)) || frame.size) return;
      jostle.unhold(frame.id);
      frame = null;
    },
  }).cancelAnimationFrame);

  // The next frame; `first`: only if nothing else would come before it. What is idle waits anyway.
  const comesFirst = ({ id, entry }) => id !== frame.id && entry.kind !== "idle" && !(entry.due > frame.due);
  jostle.upcomingFrame = (first) => {
    let preceded = false;
    if (frame && first) jostle.held.forEach((item) => { preceded ||= comesFirst(item); });
    return preceded ? null : frame;
  };

  const idle = new Map();
  let idleHandle = 0;
  const deadline = () => {
    const made = typeof IdleDeadline === "function" ? Object.create(IdleDeadline.prototype) : {};
    native.defineProperty(made, "didTimeout", { value: false });
    native.defineProperty(made, "timeRemaining", { value: () => 10 });
    return made;
  };
  jostle.wrap(globalThis, "requestIdleCallback", (original) => ({
    requestIdleCallback(callback) {
      if (jostle.free || typeof callback !== "function") return native.apply(original, globalThis, arguments);
      const handle = ++idleHandle;
      idle.set(handle, jostle.hold({ kind: "idle", what: `idle at ${jostle.site()}` }, () => {
        idle.delete(handle);
        jostle.later(callback, [deadline()]);
      }));
      return handle;
    },
  }).requestIdleCallback);
  jostle.wrap(globalThis, "cancelIdleCallback", (original) => ({
    cancelIdleCallback(handle) {
      if (jostle.free) return native.apply(original, globalThis, arguments);
      if (idle.has(handle)) jostle.unhold(idle.get(handle));
      idle.delete(handle);
    },
  }).cancelIdleCallback);

  // scheduler.postTask / yield: a timer without delay, or with one; then a task of the browser's scheduler.
  if (typeof Scheduler === "function") {
    const wait = (delay, site, signal, run) => new native.Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const id = jostle.hold({ kind: "timer", what: `task ${delay} at ${site}`, function: "task", site, delay, due: clock.now + delay, interval: false, registered: ++order }, () => resolve(run()));
      if (signal) native.apply(native.addEventListener, signal, ["abort", () => { if (jostle.unhold(id)) reject(signal.reason); }]);
    });
    jostle.wrap(Scheduler.prototype, "postTask", (original) => ({
      postTask(callback, options) {
        if (jostle.free || typeof callback !== "function") return native.apply(original, this, arguments);
        return wait(delayOf(options?.delay), jostle.site(), options?.signal, () => native.apply(original, this, [callback, { priority: "user-blocking" }]));
      },
    }).postTask);
    jostle.wrap(Scheduler.prototype, "yield", (original) => ({
      yield() {
        if (jostle.free) return native.apply(original, this, arguments);
        return wait(0, jostle.site(), null, () => undefined);
      },
    }).yield);
  }
}
