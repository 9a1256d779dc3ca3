// Is the page at rest? Two parts: `watch` keeps an eye on timers from the beginning of a document on, `settle` waits.
{
  // What watches is kept where no script of the page stumbles over it.
  watch: (name) => {
    const key = Symbol.for(name);
    if (globalThis[key]) return;
    const timers = new Map();
    const repeated = new Map(); // how often a callback was set again as soon as it had run
    const now = performance.now.bind(performance);
    const { setTimeout, clearTimeout, clearInterval, requestAnimationFrame } = globalThis;
    const text = Function.prototype.toString;
    const calledOf = (callback, delay) => {
      try { return delay + text.call(callback).slice(0, 200); } catch { return String(delay); }
    };
    const fired = new Map(); // when a callback has run last
    let running = "";
    const watched = (native) => new Proxy(native, {
      apply(target, self, given) {
        const [callback, delay] = given;
        if (typeof callback !== "function") return Reflect.apply(target, self, given);
        const called = calledOf(callback, delay);
        const again = called === running || now() - (fired.get(called) ?? -1e9) < 20;
        repeated.set(called, again ? (repeated.get(called) || 0) + 1 : 0);
        let id;
        const run = function (...values) {
          timers.delete(id);
          const outer = running;
          running = called;
          try { return Reflect.apply(callback, this, values); } finally { running = outer; fired.set(called, now()); }
        };
        id = Reflect.apply(target, self, [run, ...given.slice(1)]);
        timers.set(id, { due: now() + Math.max(0, Number(delay) || 0), called });
        return id;
      },
    });
    const clearing = (native) => new Proxy(native, {
      apply(target, self, given) { timers.delete(given[0]); return Reflect.apply(target, self, given); },
    });
    const soon = () => {
      const time = now();
      for (const [id, { due, called }] of timers) {
        if (due < time - 250) timers.delete(id); // another clock, or a page that does not get to it
        else if (due < time + 500 && (repeated.get(called) || 0) < 2) return true;
      }
      return false;
    };
    globalThis.setTimeout = watched(setTimeout);
    globalThis.clearTimeout = clearing(clearTimeout);
    globalThis.clearInterval = clearing(clearInterval);
    Object.defineProperty(globalThis, key, {
      value: { soon, now, setTimeout: setTimeout.bind(globalThis), requestAnimationFrame: requestAnimationFrame.bind(globalThis) },
    });
  },

  // What a test may see of the page, as a number: its text and its fields.
  look() {
    let number = 0;
    const mix = (text) => { for (let at = 0; at < text.length && at < 200_000; at++) number = (Math.imul(number, 31) + text.charCodeAt(at)) | 0; };
    mix(String(document.body?.innerText ?? ""));
    for (const { value, checked } of document.querySelectorAll("input, select, textarea")) mix(`${value} ${checked};`);
    return number;
  },

  // Frames, one by one: `next` waits for one and says what kept the page busy in it.
  frames(name, ignored) {
    const known = globalThis[Symbol.for(name)];
    const later = known?.setTimeout || setTimeout.bind(globalThis);
    const nextFrame = known?.requestAnimationFrame || requestAnimationFrame.bind(globalThis);
    const moving = (animation) => animation.playState === "running" && animation.effect?.getComputedTiming().endTime !== Infinity;
    let changed = false;
    const observer = new MutationObserver(() => { changed = true; });
    observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    return {
      now: known?.now || performance.now.bind(performance),
      over: () => observer.disconnect(),
      async next(painted) {
        changed = false;
        // A page that is not painted has no frames.
        await new Promise((done) => { later(done, 100); nextFrame(() => (painted ? later(done, 0) : done())); });
        if (document.readyState !== "complete") return "loading";
        if (!ignored.includes("timers") && known?.soon()) return "timers";
        if (!ignored.includes("animations") && document.getAnimations().some(moving)) return "animations";
        return !ignored.includes("changes") && changed ? "changes" : "";
      },
    };
  },

  // Handlers have run, and what they changed has been painted. Gives how the page looks then, and what keeps it busy.
  async handled(name, ignored) {
    const frames = this.frames(name, ignored);
    const busy = await frames.next(true).finally(frames.over);
    return [this.look(), busy];
  },

  // "" when so many frames have gone by in which nothing happened; else what keeps the page busy.
  async settle(name, limit, ignored, count) {
    const frames = this.frames(name, ignored);
    try {
      const began = frames.now();
      for (let calm = 0, turns = 0; ; turns++) {
        const busy = await frames.next();
        calm = busy ? 0 : calm + 1;
        if (calm >= count) return "";
        if (frames.now() - began > limit || turns > limit / 5) return busy || "changes";
      }
    } finally {
      frames.over();
    }
  },
}
