// Scripts that the page inserts, and images and frames that have loaded. A script that has to wait gets its `src` later, and
// is fetched meanwhile.
(repair) => {
  const handled = new WeakSet();
  const events = new WeakMap(); // an element -> the event of what it loads
  const absolute = (url) => {
    try { return new URL(url, document.baseURI).href; } catch { return String(url); }
  };
  const kindOf = (element) => ({ IMG: "image", IFRAME: "frame", SCRIPT: "script" })[element?.tagName];
  const awaited = repair.policy.rules.some(({ until }) => until?.is === "arrived" && until.url);

  const loaded = (event) => {
    const element = event.target, kind = kindOf(element);
    if (!kind || !event.isTrusted || handled.has(event)) return;
    handled.add(event);
    const url = element.currentSrc || element.src || "";
    const known = events.get(element);
    events.delete(element);
    if (kind === "script") {
      repair.nextTask().then(() => repair.end(known ?? repair.event("script", { url })));
      return;
    }
    const told = known ?? repair.event(kind, { url });
    Object.assign(told, { types: [event.type], element });
    if (repair.about(kind) && repair.emit(told, () => repair.dispatch(element, repair.copy(event))) !== "dispatch") repair.stop(event);
  };
  if (["image", "frame", "script"].some(repair.about) || awaited) {
    for (const type of ["load", "error"]) repair.listen(document, type, loaded);
  }

  if (repair.about("image")) {
    const see = (image) => { for (const type of ["load", "error"]) repair.first(image, type, loaded); };
    repair.wrapConstructor("Image", see);
    repair.wrap(Document.prototype, "createElement", (original) => ({
      createElement() {
        const element = repair.apply(original, this, arguments);
        if (element instanceof HTMLImageElement) see(element);
        return element;
      },
    }).createElement);
    repair.wrapSetter(HTMLImageElement.prototype, "src", ({ set }) => ({
      set(value) {
        const before = events.get(this);
        const event = repair.event("image", { url: absolute(value) });
        events.delete(this);
        if (repair.concerns(event)) {
          events.set(this, event);
          repair.fork(event);
        }
        repair.apply(set, this, [value]);
        if (before) repair.end(before); // what was to be shown before is given up
      },
    }));
  }

  if (!repair.about("script")) return;
  const later = new WeakMap(); // a script -> the address that it gets later
  const preload = (script, url) => {
    const link = document.createElement("link");
    Object.assign(link, { rel: "preload", as: "script", href: url, nonce: script.nonce, integrity: script.integrity });
    if (script.crossOrigin !== null) link.crossOrigin = script.crossOrigin;
    (document.head ?? document.documentElement).append(link);
    return link;
  };
  const request = (script, value, set) => {
    const url = absolute(value);
    const event = repair.event("script", { types: ["script"], url });
    if (script.type === "module" || !repair.concerns(event)) return set();
    events.set(script, event);
    repair.fork(event);
    let link = null;
    const go = () => {
      link?.remove();
      later.delete(script);
      set();
    };
    if (repair.emit(event, go, { lasting: true }) === "dispatch") return go();
    later.set(script, url);
    if (!script.noModule) link = preload(script, url);
  };
  repair.wrapSetter(HTMLScriptElement.prototype, "src", ({ get, set }) => ({
    get() { return later.get(this) ?? repair.apply(get, this, []); },
    set(value) { request(this, value, () => repair.apply(set, this, [value])); },
  }));
  repair.wrap(Element.prototype, "setAttribute", (original) => ({
    setAttribute(name, value) {
      const set = () => repair.apply(original, this, arguments);
      if (this instanceof HTMLScriptElement && String(name).toLowerCase() === "src") request(this, value, set);
      else set();
    },
  }).setAttribute);
}
