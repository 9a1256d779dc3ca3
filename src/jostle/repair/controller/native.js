// What the controller works with, taken when it starts, and how it puts itself in front of functions of the page's world, so
// that all of it can be taken back. Whatever was there before (also wrappers of others) is called.
(repair) => {
  const { apply, construct } = Reflect;
  const { defineProperty, getOwnPropertyDescriptor } = Object;
  const { addEventListener, removeEventListener, dispatchEvent } = EventTarget.prototype;
  const { stopImmediatePropagation, preventDefault, composedPath } = Event.prototype;
  const { text } = Blob.prototype;
  const empty = new Blob([]);
  const { setTimeout, clearTimeout, performance } = globalThis;

  repair.apply = apply;
  repair.now = () => performance.now();
  repair.later = (run, ms) => apply(setTimeout, globalThis, [run, ms]);
  repair.notLater = (handle) => apply(clearTimeout, globalThis, [handle]);
  // A task of its own, after all promise jobs of this one. Timers and channels would be seen by whoever keeps count of them.
  repair.nextTask = () => apply(text, empty, []);
  repair.dispatch = (target, event) => apply(dispatchEvent, target, [event]);
  repair.path = (event) => apply(composedPath, event, []);
  repair.stop = (event, acting) => {
    apply(stopImmediatePropagation, event, []);
    if (acting) apply(preventDefault, event, []);
  };

  const undoing = [];
  repair.undoing = (undo) => undoing.push(undo);
  repair.undo = () => { for (const undo of undoing.splice(0)) undo(); };
  repair.listen = (target, type, listener, options = { capture: true }) => {
    apply(addEventListener, target, [type, listener, options]);
    repair.undoing(() => apply(removeEventListener, target, [type, listener, options]));
  };
  // A listener that comes first at an object the page has just made; it goes with the object.
  repair.first = (target, type, listener) => apply(addEventListener, target, [type, listener, { capture: true }]);

  const replace = (owner, name, own, made) => {
    defineProperty(owner, name, { ...own, ...made });
    repair.undoing(() => {
      const now = getOwnPropertyDescriptor(owner, name);
      if (Object.keys(made).every((key) => now?.[key] === made[key])) defineProperty(owner, name, own);
    });
  };
  const named = (wrapper, original) => {
    for (const key of ["name", "length"]) defineProperty(wrapper, key, getOwnPropertyDescriptor(original, key));
    return wrapper;
  };
  // `make` gets the original and gives a method in its place.
  repair.wrap = (owner, name, make) => {
    const own = owner && getOwnPropertyDescriptor(owner, name);
    if (typeof own?.value === "function" && own.configurable) replace(owner, name, own, { value: named(make(own.value), own.value) });
  };
  repair.wrapSetter = (owner, name, make) => {
    const own = owner && getOwnPropertyDescriptor(owner, name);
    if (!own?.set || !own.configurable) return;
    const made = make(own);
    replace(owner, name, own, { get: made.get ? named(made.get, own.get) : own.get, set: named(made.set, own.set) });
  };
  // Whoever is made by a constructor is shown to `see`. A proxy: `instanceof`, statics and subclasses stay what they were.
  repair.wrapConstructor = (name, see) => {
    const own = getOwnPropertyDescriptor(globalThis, name);
    if (typeof own?.value !== "function") return;
    const proxy = new Proxy(own.value, {
      construct(target, args, newTarget) {
        const made = construct(target, args, newTarget === proxy ? target : newTarget);
        see(made, args);
        return made;
      },
    });
    replace(globalThis, name, own, { value: proxy });
    replace(own.value.prototype, "constructor", getOwnPropertyDescriptor(own.value.prototype, "constructor"), { value: proxy });
  };
  // A copy of an event, to be dispatched later.
  repair.copy = (event, type = event.type) => {
    try {
      return new event.constructor(type, event);
    } catch {
      return new Event(type, { bubbles: event.bubbles, cancelable: event.cancelable, composed: event.composed });
    }
  };
}
