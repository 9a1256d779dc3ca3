// Is the page at rest? `watch` keeps an eye on timers and frames from the beginning of a document on, the others wait.
({
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
    let animated = false;
    globalThis.requestAnimationFrame = new Proxy(requestAnimationFrame, {
      apply(target, self, given) { animated = true; return Reflect.apply(target, self, given); },
    });
    // Whether the page has asked for a frame since the last time.
    const animates = () => { const was = animated; animated = false; return was; };
    globalThis.setTimeout = watched(setTimeout);
    globalThis.clearTimeout = clearing(clearTimeout);
    globalThis.clearInterval = clearing(clearInterval);
    Object.defineProperty(globalThis, key, {
      value: {
        soon,
        now,
        animates,
        setTimeout: setTimeout.bind(globalThis),
        requestAnimationFrame: requestAnimationFrame.bind(globalThis),
      },
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

  // Resolves when the next frame has been painted. A page that is not painted has no frames, which cannot be told from
  // a machine that is slow to paint: so many timers have to pass without one, and a busy machine delays these as well.
  painted(name) {
    const known = globalThis[Symbol.for(name)], frameless = Symbol.for(`${name}.frameless`);
    const later = known?.setTimeout || setTimeout.bind(globalThis);
    const nextFrame = known?.requestAnimationFrame || requestAnimationFrame.bind(globalThis);
    return new Promise((done) => {
      let came = false;
      nextFrame(() => { came = true; delete globalThis[frameless]; later(done, 0); });
      const wait = (timers) => later(() => {
        if (came) return;
        if (timers > 1) wait(timers - 1); else { globalThis[frameless] = true; done(); }
      }, 100);
      wait(globalThis[frameless] ? 1 : 10);
    });
  },

  // Frames, one by one. A page whose beginning was not seen may always animate something.
  frames(name, ignored) {
    const known = globalThis[Symbol.for(name)];
    const later = known?.setTimeout || setTimeout.bind(globalThis);
    const moving = (animation) => animation.playState === "running" && animation.effect?.getComputedTiming().endTime !== Infinity;
    let changed = false;
    const observer = new MutationObserver(() => { changed = true; });
    observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    const busy = () => {
      if (document.readyState !== "complete") return "loading";
      if (!ignored.includes("timers") && known?.soon()) return "timers";
      if (!ignored.includes("animations") && document.getAnimations().some(moving)) return "animations";
      return !ignored.includes("changes") && changed ? "changes" : "";
    };
    return {
      now: known?.now || performance.now.bind(performance),
      over: () => observer.disconnect(),
      animates: () => known?.animates() ?? true,
      busy,
      task: () => new Promise((done) => { later(done, 0); }),
      // Waits until the next one is painted, and says what kept the page busy in it.
      next: async () => {
        changed = false;
        await this.painted(name);
        return busy();
      },
    };
  },

  // Handlers have run, and what they changed has been painted. Gives how the page looks then, and what keeps it busy.
  // Where it looks as before and nothing is under way, there is nothing to be painted.
  async handled(name, ignored, before) {
    const frames = this.frames(name, ignored);
    try {
      if (before !== null) {
        await frames.task();
        const look = this.look();
        if (look === before && !frames.animates() && !frames.busy()) return [look, ""];
      }
      const busy = await frames.next();
      return [this.look(), busy];
    } finally {
      frames.over();
    }
  },

  // "" when a frame has gone by in which nothing happened, or so many if the page asks for frames itself; else what
  // keeps the page busy.
  async settle(name, limit, ignored, count) {
    const frames = this.frames(name, ignored);
    try {
      const began = frames.now();
      for (let calm = 0, turns = 0; ; turns++) {
        frames.animates();
        const busy = await frames.next();
        calm = busy ? 0 : calm + 1;
        if (calm >= count || (calm && !frames.animates())) return "";
        if (frames.now() - began > limit || turns > limit / 5) return busy || "changes";
      }
    } finally {
      frames.over();
    }
  },
})
