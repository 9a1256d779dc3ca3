// Rest: the moment when everything the event started has run, and only what is held is left.
(jostle) => {
  const { native } = jostle;
  const CALM_TURNS = 3;
  const LONGEST_MS = 1500; // for the browser's own asynchronous work; JavaScript that runs longer is the driver's to bound

  const channel = new native.MessageChannel();
  let wake = null;
  channel.port1.onmessage = () => wake?.();
  const turn = () => new native.Promise((resolve) => { wake = resolve; channel.port2.postMessage(0); });
  const pause = (ms) => new native.Promise((resolve) => native.apply(native.setTimeout, globalThis, [resolve, ms]));
  const frame = () => new native.Promise((resolve) => {
    native.apply(native.requestAnimationFrame, globalThis, [() => { if (document.body) jostle.framed++; resolve(true); }]);
    native.apply(native.setTimeout, globalThis, [() => resolve(false), mayPaint() ? 500 : 60]);
  });
  // Nothing is painted in a hidden tab, in a frame that is scrolled away, or under a stylesheet that is not there yet.
  const mayPaint = () => {
    if (self !== top || document.hidden) return false;
    for (const link of document.head?.querySelectorAll("link[rel~=stylesheet]") ?? []) if (!link.sheet && !link.disabled) return false;
    return true;
  };

  // Elements whose resource has just been released: their load event belongs to the same event.
  const loads = new WeakMap();
  const loaded = (event) => {
    if (event.target instanceof Element) { loads.set(event.target, (loads.get(event.target) ?? 0) + 1); jostle.activity++; }
  };
  // On the document: the load event of an element never reaches the window.
  for (const type of ["load", "error"]) native.apply(native.addEventListener, document, [type, loaded, true]);
  const images = new Set();
  jostle.wrapAccessor(HTMLImageElement.prototype, "src", ({ set }) => ({
    set(value) {
      native.apply(set, this, [value]);
      if (!this.isConnected) {
        const image = this;
        images.add(image);
        const done = () => { images.delete(image); loads.set(image, 1); jostle.activity++; };
        native.apply(native.addEventListener, image, ["load", done, { once: true }]);
        native.apply(native.addEventListener, image, ["error", done, { once: true }]);
      }
    },
  }));
  const same = (a, b) => a === b || a.split("#")[0] === b.split("#")[0];
  const waitingFor = (url) => {
    for (const element of document.querySelectorAll("script[src],link[href],img,iframe,video,audio,object,embed")) {
      const address = element.currentSrc || element.src || element.href || element.data;
      if (address && same(String(address), url) && !loads.get(element) && !(element.localName === "img" && element.complete)) return element;
    }
    for (const image of images) if (same(image.currentSrc || image.src, url)) return image;
    return null;
  };

  // The browser tells of the first paint some time after it; the second frame of a document with a body is a sure sign.
  jostle.framed = 0;
  let tries = 0;
  let tried = -1;
  const unpainted = () => {
    if (!document.body || jostle.framed > 1 || performance.getEntriesByType("paint").length) return false;
    if (tried !== jostle.version) { tried = jostle.version; tries = 0; }
    return tries < 3;
  };

  // `released`: address of a resource whose answer has just been let through; `patience`: how long to wait for its load event.
  jostle.settle = async ({ released, patience, quiet, still } = {}) => {
    const start = native.now();
    const element = released ? waitingFor(released) : null;
    if (element) {
      while (!loads.get(element) && native.now() - start < patience) await pause(1);
    } else if (quiet) await pause(quiet);
    let calm = 0;
    let seen = jostle.activity;
    let frames = 0;
    for (;;) {
      await turn();
      const busy = [...jostle.pending].filter((token) => !token.stale);
      if (jostle.activity !== seen || busy.length) { calm = 0; seen = jostle.activity; } else calm++;
      if (busy.length && calm === 0) await pause(1);
      if (native.now() - start > LONGEST_MS) {
        for (const token of busy) { token.stale = true; jostle.limit(`${token.what} did not come to an end within ${LONGEST_MS} ms; not waited for any longer`); }
        break;
      }
      if (calm < CALM_TURNS) continue;
      if (still) break;
      if (jostle.stopAnimations()) jostle.frameWanted = true;
      const mustPaint = unpainted();
      if ((jostle.frameWanted || jostle.observing || mustPaint) && frames < 3) {
        if (!jostle.frameWanted && !mustPaint && frames > 0) break;
        jostle.frameWanted = false;
        frames++;
        tries += (await frame()) ? 1 : 3;
        calm = 0;
        continue;
      }
      break;
    }
    return jostle.report();
  };

  // Once this page is being left the driver cannot ask it anything: it tells of its own accord.
  if (self === top) {
    globalThis.navigation?.addEventListener("navigate", (event) => {
      if (jostle.free || event.hashChange || event.downloadRequest !== null) return;
      if (new URL(event.destination.url).origin === "null") return;
      native.apply(native.then, jostle.settle({ still: true }), [(report) => jostle.tell("parting", { report })]);
    });
  }

  // Let one held thing happen, then rest.
  jostle.step = async (id, event) => {
    jostle.enter(event);
    if (!jostle.release(id)) return { gone: true };
    return jostle.settle();
  };
}
