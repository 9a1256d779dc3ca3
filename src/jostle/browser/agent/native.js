// The browser's own functions, kept before any page script can replace them, and the two marks
// by which wrappers stay unseen: they print like native code, and the agent's own use of an API is not watched.
(jostle) => {
  const native = (jostle.native = {
    setTimeout: globalThis.setTimeout,
    clearTimeout: globalThis.clearTimeout,
    requestAnimationFrame: globalThis.requestAnimationFrame,
    MessageChannel: globalThis.MessageChannel,
    addEventListener: EventTarget.prototype.addEventListener,
    removeEventListener: EventTarget.prototype.removeEventListener,
    dispatchEvent: EventTarget.prototype.dispatchEvent,
    initEvent: Event.prototype.initEvent,
    stopImmediatePropagation: Event.prototype.stopImmediatePropagation,
    Date: globalThis.Date,
    now: performance.now.bind(performance),
    MutationObserver: globalThis.MutationObserver,
    getOwnPropertyDescriptor: Object.getOwnPropertyDescriptor,
    defineProperty: Object.defineProperty,
    toString: Function.prototype.toString,
    apply: Reflect.apply,
    construct: Reflect.construct,
    stringify: JSON.stringify,
    Promise: globalThis.Promise,
    then: Promise.prototype.then,
    Error: globalThis.Error,
    setItem: globalThis.Storage?.prototype.setItem,
    removeItem: globalThis.Storage?.prototype.removeItem,
    charCode: Function.prototype.call.bind(String.prototype.charCodeAt),
  });

  const originals = new WeakMap();
  const disguise = (wrapper, original) => {
    originals.set(wrapper, originals.get(original) ?? original); // what is wrapped twice is native all the same
    for (const key of ["name", "length"]) {
      const own = native.getOwnPropertyDescriptor(original, key);
      if (own) native.defineProperty(wrapper, key, own);
    }
    return wrapper;
  };
  jostle.disguise = disguise;
  jostle.original = (fn) => originals.get(fn) ?? fn;
  Function.prototype.toString = disguise(
    { toString() { return native.apply(native.toString, originals.get(this) ?? this, []); } }.toString,
    native.toString,
  );
  native.defineProperty(Function.prototype, "toString", { enumerable: false });

  // Replace a method. `make` gets the original and returns the replacement (written as a method so that it is not a constructor).
  jostle.wrap = (owner, name, make) => {
    const own = owner && native.getOwnPropertyDescriptor(owner, name);
    if (!own || typeof own.value !== "function") return;
    native.defineProperty(owner, name, { ...own, value: disguise(make(own.value), own.value) });
  };
  // Replace a setter, a getter or both of an accessor property.
  jostle.wrapAccessor = (owner, name, make) => {
    const own = owner && native.getOwnPropertyDescriptor(owner, name);
    if (!own || !own.configurable || !(own.get || own.set)) return;
    const made = make(own);
    native.defineProperty(owner, name, {
      ...own,
      get: made.get ? disguise(made.get, own.get) : own.get,
      set: made.set && own.set ? disguise(made.set, own.set) : own.set,
    });
  };
  // Replace a constructor by a proxy, so that `instanceof`, statics, subclasses and the prototype stay what they were.
  jostle.wrapConstructor = (name, construct) => {
    const original = globalThis[name];
    if (typeof original !== "function") return;
    const proxy = new Proxy(original, { construct: (target, args, newTarget) => construct(target, args, newTarget) });
    originals.set(proxy, original);
    native.defineProperty(globalThis, name, { ...native.getOwnPropertyDescriptor(globalThis, name), value: proxy });
    if (original.prototype) native.defineProperty(original.prototype, "constructor", { value: proxy, writable: true, configurable: true, enumerable: false });
    return original;
  };

  // Let the browser itself call a function of the page, as its own task: stack, microtasks and uncaught errors are as ever.
  jostle.later = (callback, args = []) => {
    const given = [callback, 0];
    for (let i = 0; i < args.length; i++) given[i + 2] = args[i];
    return native.apply(native.setTimeout, globalThis, given);
  };

  // When the browser comes to its next task.
  const channel = new native.MessageChannel();
  const waking = new List();
  const { postMessage } = MessagePort.prototype;
  channel.port1.onmessage = () => waking.shift()?.();
  jostle.nextTask = () => awaitable(new native.Promise((resolve) => { waking.push(resolve); native.apply(postMessage, channel.port2, [0]); }));

  // Work of ours that reads the document: it is not to be taken for the page's (see accesses.js).
  jostle.unwatched = 0;
  jostle.unseen = !jostle.accesses ? (work) => work : (work) => (...args) => {
    jostle.unwatched++;
    try { return work(...args); } finally { jostle.unwatched--; }
  };

  const { split, includes } = String.prototype, { exec } = RegExp.prototype;
  // Where the page called us from, as "path:line:column": the first stack line outside the agent.
  jostle.site = () => {
    let lines;
    try {
      const limit = native.Error.stackTraceLimit;
      const prepare = native.Error.prepareStackTrace;
      native.Error.stackTraceLimit = 12;
      if (prepare) native.Error.prepareStackTrace = undefined;
      lines = native.apply(split, String(new native.Error().stack), ["\n"]);
      native.Error.stackTraceLimit = limit;
      if (prepare) native.Error.prepareStackTrace = prepare;
    } catch {
      return "?"; // the page keeps stacks to itself
    }
    for (let i = 1; i < lines.length; i++) {
      if (native.apply(includes, lines[i], ["jostle:agent"]) || native.apply(includes, lines[i], ["jostle:repair"])) continue;
      const place = native.apply(exec, /\(?((?:[a-z][a-z0-9+.-]*:\/\/[^\s()]*?|<anonymous>|[^\s()]*?)):(\d+):(\d+)\)?$/i, [lines[i]]);
      if (!place) continue;
      // In a rewritten script the driver knows where that was.
      if (jostle.rewritten) return `\uE000${place[1]}\uE001${place[2]}\uE001${place[3]}\uE002`;
      const path = native.apply(exec, /^(?:[a-z][a-z0-9+.-]*:\/\/[^/?#]*)?([^?#]*)/i, [place[1]])[1];
      return `${path || "/"}:${place[2]}:${place[3]}`;
    }
    return "?";
  };
}
