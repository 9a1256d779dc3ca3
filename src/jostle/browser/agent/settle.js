// Rest: the moment when everything the event started has run, and only what is held is left.
(jostle) => {
  const { dom, native } = jostle;
  const { some } = Array.prototype;
  const CALM_TURNS = 3;
  const LONGEST_MS = 5000; // JavaScript that runs longer is the driver's to bound
  const MOST_FRAMES = 3;
  const FRAMES_FOR_POINTER = 6;

  const pause = (ms) => awaitable(new native.Promise((resolve) => native.apply(native.setTimeout, globalThis, [resolve, ms])));
  let frameless = false; // no frame came when one was asked for: hidden, outside of the window ...
  const frame = () => awaitable(new native.Promise((resolve) => {
    const patience = self === top ? (frameless ? 250 : 1000) : frameless ? 20 : 100;
    native.apply(native.requestAnimationFrame, globalThis, [() => { frameless = false; if (dom.body()) jostle.framed++; resolve(); }]);
    native.apply(native.setTimeout, globalThis, [() => { frameless = true; resolve(); }, patience]);
  }));

  jostle.nextFrame = frame;

  // Elements whose resource has just been released: their load event belongs to the same event.
  const loads = new WeakMap();
  const loaded = (event) => {
    const target = dom.target(event);
    if (!(target instanceof Element)) return;
    loads.set(target, (loads.get(target) ?? 0) + 1);
    jostle.activity++;
    if (target instanceof HTMLLinkElement) beforeLoad();
  };
  // On the document: the load event of an element never reaches the window.
  jostle.onDocument((document) => { for (const type of ["load", "error"]) native.apply(native.addEventListener, document, [type, loaded, true]); });
  const images = new Set();
  jostle.wrapAccessor(HTMLImageElement.prototype, "src", ({ set }) => ({
    set(value) {
      native.apply(set, this, [value]);
      const image = this;
      if (jostle.ungated(image)) {
        const done = jostle.track("a picture", { wait: 300, sure: false });
        native.apply(native.addEventListener, image, ["load", done, { once: true }]);
        native.apply(native.addEventListener, image, ["error", done, { once: true }]);
      } else if (!dom.isConnected(image)) {
        images.add(image);
        const done = () => { images.delete(image); loads.set(image, 1); jostle.activity++; };
        native.apply(native.addEventListener, image, ["load", done, { once: true }]);
        native.apply(native.addEventListener, image, ["error", done, { once: true }]);
      }
    },
  }));
  const plain = (address) => { const at = dom.indexOf(address, "#"); return at < 0 ? address : dom.slice(address, 0, at); };
  const same = (a, b) => a === b || plain(a) === plain(b);
  const waitingFor = jostle.unseen((url) => {
    const elements = dom.all(document, "script[src],link[href],img,iframe,video,audio,object,embed");
    for (let i = 0; i < elements.length; i++) {
      const element = elements[i];
      const address = element.currentSrc || element.src || element.href || element.data;
      if (address && same(String(address), url) && !loads.get(element) && !(dom.tag(element) === "img" && element.complete)) return element;
    }
    for (const image of images) if (same(image.currentSrc || image.src, url)) return image;
    return null;
  });

  // A module runs, and has its load event, when all it imports is there too.
  const isModule = jostle.unseen((element) => dom.tag(element) === "script" && element.type === "module");
  // So does a deferred script when all deferred ones before it have run.
  const inTurn = (script) => (script.type === "module" || script.defer) && !dom.has(script, "async");
  const awaitsTurn = jostle.unseen((element) => {
    if (dom.tag(element) !== "script" || !inTurn(element)) return false;
    const scripts = dom.all(document, "script[src]");
    for (let i = 0; i < scripts.length; i++) {
      const script = scripts[i];
      if (script === element) return false;
      if (inTurn(script) && !loads.get(script)) return true;
    }
    return false;
  });
  const unrunModules = jostle.unseen(() => {
    const modules = dom.all(document, "script[type=module][src]");
    let unrun = 0;
    for (let i = 0; i < modules.length; i++) if (!loads.get(modules[i])) unrun++;
    return unrun;
  });

  // Nothing is painted while a stylesheet is missing. Asked with every event: lists that the browser keeps, no searches.
  let links = [], styles = [], pictures = [], inner = [];
  jostle.onDocument((document) => {
    links = dom.byTag(document, "link");
    styles = dom.byTag(document, "style");
    pictures = dom.byTag(document, "img");
    inner = dom.byTag(document, "iframe");
  });
  // What a sheet imports stands at its beginning.
  const imports = (sheet) => {
    try {
      const { cssRules } = sheet;
      for (let i = 0; i < cssRules.length; i++) {
        const rule = cssRules[i];
        if (rule instanceof CSSImportRule) { if (!rule.styleSheet) return true; } else if (!(rule instanceof CSSLayerStatementRule)) return false;
      }
    } catch { /* of another origin */ }
    return false;
  };
  const isWanted = (link) => dom.matches(link, "[rel~=stylesheet]:not([rel~=alternate], [disabled])") && (!link.media || matchMedia(link.media).matches);
  const unpaintable = jostle.unseen(() => {
    for (let i = 0; i < links.length; i++) if (!loads.get(links[i]) && (!links[i].sheet || imports(links[i].sheet)) && isWanted(links[i])) return true;
    for (let i = 0; i < styles.length; i++) if (styles[i].sheet && imports(styles[i].sheet)) return true;
    return false;
  });
  // New styles ask for pictures and fonts once they are worked out, which the browser does in its own time: have it done now.
  // Before the load event, that is when the last stylesheet is there and the document is complete, or it may wait for them or not.
  const restyle = () => { const top = dom.top(); if (top) dom.clientHeight(top); };
  const beforeLoad = () => { if (!jostle.free && !unpaintable()) restyle(); };
  native.apply(native.addEventListener, globalThis, ["DOMContentLoaded", beforeLoad]);
  // The parser pauses when it likes, and a frame may then find what a later script hides: let it always be found.
  const MOST_STYLINGS = 500;
  jostle.onDocument((document) => {
    let left = MOST_STYLINGS;
    const parsed = new native.MutationObserver(() => {
      if (dom.readyState(document) === "complete" || left-- === 0) parsed.disconnect();
      else beforeLoad();
    });
    if (!jostle.free) parsed.observe(document, { childList: true, attributes: true, subtree: true });
  });
  // A picture that is only loaded once it comes near the screen: the browser looks with every frame.
  const lazy = jostle.unseen(() => {
    for (let i = 0; i < pictures.length; i++) if (pictures[i].loading === "lazy" && !pictures[i].complete) return true;
    for (let i = 0; i < inner.length; i++) if (inner[i].loading === "lazy") return true;
    return false;
  });
  let paints = 0;
  const unpainted = jostle.unseen(() => paints < MOST_FRAMES && dom.body() && dom.firstChild(dom.body()) && !jostle.painted());
  // The browser tells of the first paint some time after it: the second frame of a document with a body is as good a sign.
  // A frame of the page that is scrolled away is painted as soon as the user goes there.
  jostle.framed = 0;
  jostle.wouldPaint = jostle.unseen(() => jostle.framed > 1 || (self !== top && dom.body() !== null && !unpaintable()));

  // The mouse was pressed and let go in this event: the input arrives in its own time.
  let pressed = false, onPressed = () => {};
  jostle.pressed = () => { pressed = true; onPressed(); };
  native.apply(native.addEventListener, globalThis, ["mouseup", (event) => { if (event.isTrusted) jostle.pressed(); }, { capture: true, passive: true }]);
  // After an offer the driver presses without asking again, and tells at the same time which event that is.
  let offered = false, met = null;
  for (const type of ["pointerout", "pointerover", "pointermove", "pointerdown"]) {
    const early = (event) => {
      if (!offered || !event.isTrusted) return;
      jostle.beginNameless();
      if (type === "pointerdown") met = jostle.meets(event);
    };
    native.apply(native.addEventListener, globalThis, [type, early, { capture: true, passive: true }]);
  }

  jostle.settling = 0;
  jostle.onEnter((event, named) => {
    jostle.settling = event.key ? 0 : 1; // without a name it is going to be settled
    if (event.key) offered = false;
    if (named) return;
    pressed = false;
    met = null;
  });

  // `released`: address of a resource whose answer has just been let through; `patience`: how long to wait for its load
  // event; `offer`: tell what the user could do next; `still`: no frames and no waiting, the page is being left;
  // `pressed`: not before the mouse was; `marks`: what other documents said, to be heard first.
  jostle.settle = async ({ released, patience, quiet, still, offer, parting, pressed: pressing, marks = [] } = {}) => {
    jostle.settling++;
    if (pressing && !pressed) await awaitable(new native.Promise((resolve) => { onPressed = resolve; }));
    jostle.attend();
    const asked = document;
    const start = native.now();
    const passed = () => native.now() - start;
    if (released) jostle.startWorkers(released);
    if (!still) jostle.restWorkers();
    const element = released ? waitingFor(released) : null;
    if (element) {
      const longest = isModule(element) || awaitsTurn(element) ? quiet : patience;
      while (!loads.get(element) && (dom.isConnected(element) || images.has(element)) && passed() < longest) await pause(1);
    } else if (quiet) await pause(quiet);
    const awaited = () => { for (let i = 0; i < marks.length; i++) if (jostle.awaits(marks[i])) return true; return false; };
    while (awaited() && passed() < 500) await pause(1);
    await awaitable(rest(start, still));
    jostle.settling = Math.max(0, jostle.settling - 1);
    // A question put to the first, empty document must not take what the next one in the same window has to tell.
    if (document !== asked) return { __proto__: null, gone: true };
    offered = Boolean(offer);
    return { __proto__: null, ...jostle.report(parting), modules: unrunModules(), ...(offer ? { offered: jostle.actions() } : {}) };
  };

  // Nothing that was begun since `start` is left but what is held. `still`: no frames and no waiting.
  const rest = async (start, still) => {
    let calm = 0;
    let seen = jostle.activity;
    for (let frames = 0; ;) {
      await jostle.nextTask();
      const busy = !still && jostle.busy();
      if (jostle.activity !== seen || busy) { calm = 0; seen = jostle.activity; } else calm++;
      if (busy) await pause(1);
      if (native.now() - start > LONGEST_MS) {
        jostle.limit(`the page did not come to rest within ${LONGEST_MS} ms`);
        break;
      }
      if (calm < CALM_TURNS) continue;
      if (still) break;
      if (jostle.stopAnimations()) jostle.frameWanted = true;
      if (unpaintable()) break;
      restyle();
      const mustPaint = unpainted();
      const behind = jostle.pointerBehind();
      const wanted = jostle.frameWanted || mustPaint || behind || ((jostle.observing() || lazy()) && frames === 0);
      if (!wanted) break;
      if (frames >= (behind ? FRAMES_FOR_POINTER : MOST_FRAMES)) {
        if (behind) jostle.pointerCaughtUp();
        break;
      }
      jostle.frameWanted = false;
      if (mustPaint) paints++;
      frames++;
      await frame();
      calm = 0;
    }
  };

  // What the user could do now; the driver may press it without asking again.
  jostle.offer = () => {
    offered = true;
    return jostle.actions();
  };

  // The mouse is being pressed where the element was offered: begin the event, then rest.
  jostle.press = (event, locator, at, offer) => {
    jostle.enter(event);
    const same = ({ words, css, nth }) => words === locator.words && css === locator.css && nth === locator.nth;
    if (met ? !native.apply(some, met, [same]) : !pressed && !jostle.isAt(locator, at)) jostle.limit(`${locator.words} was no longer where it was offered, and may not have been pressed`);
    return jostle.settle({ pressed: true, offer });
  };

  // Once this page is being left the driver cannot ask it anything: it tells of its own accord.
  globalThis.navigation?.addEventListener("navigate", (event) => {
    if (event.downloadRequest !== null) jostle.tell("download");
    if (jostle.free || event.destination.sameDocument || event.downloadRequest !== null) return;
    native.apply(native.then, jostle.settle({ still: true, parting: true }), [(report) => jostle.tell("parting", { report })]);
  });

  // The browser scrolls in its own time after a wheel was turned: answers when it has, or did not within `patience` ms.
  jostle.scrolled = (patience) => new native.Promise((resolve) => {
    native.apply(native.addEventListener, globalThis, ["scroll", () => resolve(true), { capture: true, once: true, passive: true }]);
    native.apply(native.setTimeout, globalThis, [() => resolve(false), patience]);
  });

  // The browser finds frames of other processes by what was painted last: has the pointer come to this one? First it is
  // told to watch for it, then asked.
  let pointed = null;
  jostle.watchPointer = () => {
    pointed = new native.Promise((resolve) => {
      native.apply(native.addEventListener, globalThis, ["mousemove", () => resolve(true), { capture: true, once: true, passive: true }]);
    });
  };
  jostle.pointed = (patience) => new native.Promise((resolve) => {
    if (pointed) native.apply(native.then, pointed, [resolve]); // else another document came meanwhile
    native.apply(native.setTimeout, globalThis, [() => resolve(false), patience]);
  });

  // Let one held thing happen, then rest. Up to `frames` frames of an animation that follow each other with nothing in
  // between are one, unless they take longer than `patience`; `exactly`: so many, as they were once before.
  jostle.step = async (id, event, { frames = 1, patience = Infinity, exactly = false } = {}) => {
    jostle.enter(event);
    if (!jostle.release(id)) return { __proto__: null, gone: true };
    await pause(0); // what was released is called by the browser, in its own task
    let ran = 1;
    for (const start = native.now(); ran < frames && native.now() - start < patience; ran++) {
      jostle.settling++;
      await awaitable(rest(native.now()));
      jostle.settling = Math.max(0, jostle.settling - 1);
      const next = jostle.upcomingFrame(!exactly);
      if (!next) break;
      jostle.passTo(next.due);
      jostle.release(next.id);
      await pause(0);
    }
    return { __proto__: null, ...await awaitable(jostle.settle()), frames: ran };
  };
}
