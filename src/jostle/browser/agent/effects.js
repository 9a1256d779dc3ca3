// What the running event does to the page: collected between two reports.
(jostle) => {
  const { dom, native } = jostle;
  const MOST_CHANGES = 200;
  let records = new List();
  let dropped = 0;
  let formWrites = new List();
  let storageWrites = new List();
  let lifecycle = new List();
  let limits = new List();
  let userEvents = new List();
  jostle.frameWanted = false;
  jostle.limit = (words) => { if (!limits.includes(words)) limits.push(words); };

  // A short name of an element for people who read markup.
  jostle.label = jostle.unseen((node) => {
    let element = null;
    try {
      const type = dom.nodeType(node);
      element = type === 1 ? node : type === 11 ? dom.hostOf(node) : dom.shownParent(node);
    } catch { /* the window */ }
    if (!element) return "document";
    const name = dom.tag(element);
    const id = dom.attribute(element, "id");
    const kind = dom.exec(/\S+/, dom.attribute(element, "class") ?? "")?.[0];
    return id ? `${name}#${id}` : kind ? `${name}.${kind}` : name;
  });

  // A script of ours at which the parser waits, see fence.py.
  const isFence = (node) => dom.nodeType(node) === 1 && dom.tag(node) === "script" && dom.indexOf(dom.attribute(node, "src") ?? "", "/__jostle_fence__/") >= 0;
  const of = { added: dom.take(MutationRecord.prototype, "addedNodes"), removed: dom.take(MutationRecord.prototype, "removedNodes"), target: dom.take(MutationRecord.prototype, "target"), type: dom.take(MutationRecord.prototype, "type"), attribute: dom.take(MutationRecord.prototype, "attributeName") };
  const byFence = (record) => {
    const added = of.added(record), removed = of.removed(record);
    return added.length + removed.length === 1 && isFence(added[0] ?? removed[0]);
  };
  const note = jostle.unseen((all) => {
    jostle.activity++;
    jostle.version++;
    for (let i = 0; i < all.length; i++) {
      if (byFence(all[i])) continue;
      const added = of.added(all[i]);
      for (let n = 0; n < added.length; n++) {
        const root = dom.nodeType(added[n]) === 1 && dom.shadowRoot(added[n]); // written in the markup
        if (root) watch(root);
      }
      if (records.length < 20 * MOST_CHANGES) records.push(all[i]);
      else dropped++;
    }
  });
  const observer = new native.MutationObserver(note);
  const { takeRecords, observe } = native.MutationObserver.prototype;
  const everything = { subtree: true, childList: true, attributes: true, characterData: true };
  const watching = new WeakSet();
  const watch = (root) => {
    if (!watching.has(root)) native.apply(observe, observer, [root, everything]);
    watching.add(root);
  };
  jostle.onDocument(watch);
  jostle.wrap(Element.prototype, "attachShadow", (original) => ({
    attachShadow(options) {
      const root = native.apply(original, this, [options]);
      watch(root);
      return root;
    },
  }).attachShadow);

  const boxOf = (node) => {
    const element = dom.nodeType(node) === 1 ? node : dom.parentElement(node);
    if (!element || !dom.isConnected(element)) return null;
    const { x, y, width, height } = dom.box(element);
    return width && height ? [x + dom.scrollX(globalThis), y + dom.scrollY(globalThis), width, height] : null;
  };
  const changes = () => {
    const pending = native.apply(takeRecords, observer, []);
    if (pending.length) note(pending);
    const seen = new Map();
    for (const record of records) {
      const type = of.type(record), target = of.target(record);
      const what = type === "childList" ? "children" : type === "characterData" ? "text" : `attribute ${of.attribute(record)}`;
      const known = seen.get(target) ?? seen.set(target, new List()).get(target);
      if (known.includes(what) || seen.size > MOST_CHANGES) continue;
      known.push(what);
    }
    const list = new List();
    seen.forEach((whats, target) => {
      const box = boxOf(target);
      for (const what of whats) list.push({ what, target: jostle.label(target), ...(box ? { box } : {}) });
    });
    if (dropped || seen.size > MOST_CHANGES) list.push({ what: "more", target: "the rest is not listed" });
    records = new List();
    dropped = 0;
    return list;
  };

  const fieldWrite = (owner, name) => jostle.wrapAccessor(owner, name, ({ set }) => ({
    set(value) {
      native.apply(set, this, [value]);
      formWrites.push({ target: jostle.label(this), value: String(value) });
      jostle.activity++;
      jostle.version++;
    },
  }));
  for (const [owner, names] of [
    [HTMLInputElement, ["value", "checked", "valueAsNumber", "valueAsDate"]],
    [HTMLTextAreaElement, ["value"]],
    [HTMLSelectElement, ["value", "selectedIndex"]],
    [HTMLOptionElement, ["selected"]],
  ]) for (const name of names) fieldWrite(owner.prototype, name);

  // A form that is reset, or a part of a text that is replaced.
  const valueOf = jostle.unseen((field) => (field.type === "checkbox" || field.type === "radio" ? field.checked : field.value));
  const written = (fields, work) => {
    const before = [];
    for (let i = 0; i < fields.length; i++) before[i] = valueOf(fields[i]);
    const result = work();
    for (let i = 0; i < before.length; i++) {
      const now = valueOf(fields[i]);
      if (now !== undefined && now !== before[i]) formWrites.push({ target: jostle.label(fields[i]), value: String(now) });
    }
    jostle.activity++;
    jostle.version++;
    return result;
  };
  const elementsOf = native.getOwnPropertyDescriptor(HTMLFormElement.prototype, "elements").get;
  jostle.wrap(HTMLFormElement.prototype, "reset", (original) => ({
    reset() { return written(native.apply(elementsOf, this, []), () => native.apply(original, this, arguments)); },
  }).reset);
  for (const { prototype } of [HTMLInputElement, HTMLTextAreaElement]) {
    jostle.wrap(prototype, "setRangeText", (original) => ({
      setRangeText() { return written([this], () => native.apply(original, this, arguments)); },
    }).setRangeText);
  }

  // Storage is written by its methods and by plain assignment, which nothing but a comparison can see.
  // What is compared with is kept from the first time that the page asks for the storage.
  const { getItem, key: keyAt } = Storage.prototype;
  const lengthOf = native.getOwnPropertyDescriptor(Storage.prototype, "length").get;
  const areas = new Map(); // storage -> {area, entries}
  const read = (storage) => {
    const entries = new Map();
    for (let n = native.apply(lengthOf, storage, []); n--;) {
      const key = native.apply(keyAt, storage, [n]);
      if (key !== null) entries.set(key, native.apply(getItem, storage, [key]));
    }
    return entries;
  };
  for (const area of ["localStorage", "sessionStorage"]) {
    jostle.wrapAccessor(globalThis, area, ({ get }) => ({
      get() {
        const storage = native.apply(get, this ?? globalThis, []);
        if (storage && !areas.has(storage)) areas.set(storage, { area, entries: read(storage) });
        return storage;
      },
    }));
  }
  const wrote = (area, key, value) => {
    storageWrites.push({ area, key, value });
    if (area === "localStorage") jostle.wroteLocalStorage();
  };
  const compare = (storage, kept) => {
    const now = read(storage);
    now.forEach((value, key) => { if (kept.entries.get(key) !== value) wrote(kept.area, key, value); });
    kept.entries.forEach((_, key) => { if (!now.has(key)) wrote(kept.area, key, null); });
    kept.entries = now;
  };
  const assigned = () => areas.forEach((kept, storage) => compare(storage, kept));
  // Another document wrote: that is its effect, not ours.
  jostle.storageEvent = ({ storageArea, key, newValue }) => {
    const kept = areas.get(storageArea);
    if (!kept) return;
    if (key === null) kept.entries.clear();
    else if (newValue === null) kept.entries.delete(key);
    else kept.entries.set(key, newValue);
  };
  jostle.wrap(Storage.prototype, "setItem", (original) => ({
    setItem(key, value) {
      native.apply(original, this, arguments);
      const kept = areas.get(this);
      if (!kept) return;
      kept.entries.set(String(key), String(value));
      wrote(kept.area, String(key), String(value));
    },
  }).setItem);
  jostle.wrap(Storage.prototype, "removeItem", (original) => ({
    removeItem(key) {
      native.apply(original, this, arguments);
      const kept = areas.get(this);
      if (kept?.entries.delete(String(key))) wrote(kept.area, String(key), null);
    },
  }).removeItem);
  jostle.wrap(Storage.prototype, "clear", (original) => ({
    clear() {
      native.apply(original, this, arguments);
      const kept = areas.get(this);
      if (!kept?.entries.size) return;
      kept.entries.clear();
      wrote(kept.area, "*", null);
    },
  }).clear);
  jostle.wrapAccessor(Document.prototype, "cookie", ({ set }) => ({
    set(value) {
      native.apply(set, this, [value]);
      const said = dom.exec(/^\s*([^=;]*)=?([^;]*)/, String(value));
      storageWrites.push({ area: "cookie", key: said[1], value: said[2] });
    },
  }));
  jostle.wrap(globalThis.CookieStore?.prototype, "set", (original) => ({
    set(name, value) {
      const result = native.apply(original, this, arguments);
      storageWrites.push({ area: "cookie", key: String(name?.name ?? name), value: String(name?.name === undefined ? value : name.value) });
      return result;
    },
  }).set);
  jostle.wrap(globalThis.CookieStore?.prototype, "delete", (original) => ({
    delete(name) {
      const result = native.apply(original, this, arguments);
      storageWrites.push({ area: "cookie", key: String(name?.name ?? name), value: null });
      return result;
    },
  }).delete);

  // A scroll event comes with the next frame.
  const scrolls = (owner, names) => {
    for (const name of names) {
      jostle.wrap(owner, name, (original) => ({
        [name]() {
          jostle.frameWanted = true;
          return native.apply(original, this, arguments);
        },
      })[name]);
    }
  };
  scrolls(Element.prototype, ["scroll", "scrollTo", "scrollBy", "scrollIntoView", "scrollIntoViewIfNeeded"]);
  scrolls(globalThis, ["scroll", "scrollTo", "scrollBy"]);
  scrolls(HTMLElement.prototype, ["focus"]);
  for (const name of ["scrollTop", "scrollLeft"]) {
    jostle.wrapAccessor(Element.prototype, name, ({ set }) => ({
      set(value) {
        jostle.frameWanted = true;
        native.apply(set, this, [value]);
      },
    }));
  }

  // Which elements listen to the user: what can be acted on. Asked by actions.js.
  jostle.listeners = new WeakMap();
  const userEvent = /^(click|dblclick|contextmenu|mouse|pointer|key|touch|input|change|submit|drag|drop|wheel|focus)/;
  jostle.wrap(EventTarget.prototype, "addEventListener", (original) => ({
    addEventListener(type, listener) {
      if (listener && userEvent.test(type)) {
        const target = this ?? globalThis;
        const types = jostle.listeners.get(target) ?? jostle.listeners.set(target, new Set()).get(target);
        types.add(String(type));
        jostle.version++;
      }
      return native.apply(original, this, arguments);
    },
  }).addEventListener);

  const listen = (target, type, run) => native.apply(native.addEventListener, target, [type, run, { capture: true, passive: true }]);
  for (const type of ["click", "submit", "keydown", "contextmenu"]) listen(globalThis, type, (event) => { if (event.isTrusted) userEvents.push(event); });
  // From now on the page is not left for a link or form that nobody prevented; it counts as not prevented all the same.
  // What the page keeps from its window leaves it as ever.
  const stayed = new dom.SafeSet();
  const { composedPath, preventDefault } = Event.prototype, { some } = Array.prototype;
  const isLeaving = (target) => {
    try {
      if (!dom.matches(target, "a[href], area[href]") || !dom.test(/^https?:/, dom.href(target))) return false;
      return !target.hash || dom.split(target.href, "#")[0] !== dom.split(location.href, "#")[0];
    } catch {
      return false;
    }
  };
  const stay = (event) => {
    if (!event.isTrusted || dom.defaultPrevented(event) || (event.type === "click" && !native.apply(some, native.apply(composedPath, event, []), [isLeaving]))) return;
    stayed.add(event);
    lifecycle.push("stayed");
    native.apply(preventDefault, event, []);
  };
  jostle.stay = () => { for (const type of ["click", "submit"]) native.apply(native.addEventListener, globalThis, [type, stay]); };
  // Scrolling of ours that was undone at once (see actions.js): the page shall not notice.
  for (const type of ["scroll", "scrollend"]) listen(globalThis, type, (event) => { if (jostle.unseenScroll) native.apply(native.stopImmediatePropagation, event, []); });
  for (const type of ["scroll", "resize", "input", "change", "toggle", "focusin", "focusout"]) {
    listen(globalThis, type, () => {
      jostle.activity++;
      jostle.version++;
      if (type === "scroll" || type === "resize") jostle.frameWanted = true;
    });
  }
  for (const type of ["wheel", "touchmove"]) listen(globalThis, type, () => { jostle.frameWanted = true; });
  listen(globalThis, "keydown", ({ key }) => { if (dom.test(/^(Arrow|Page|Home|End| $)/, key)) jostle.frameWanted = true; });
  // A document that a script opens to write into stays "loading" until it is closed, which editors of old forget: nothing
  // more comes by itself.
  let openedByScript = false;
  for (const name of ["open", "write", "writeln"]) {
    jostle.wrap(Document.prototype, name, (original) => ({
      [name]() {
        const parsed = this === document && dom.readyState(document) !== "loading";
        const result = native.apply(original, this, arguments);
        if (parsed && dom.readyState(document) === "loading") openedByScript = true;
        return result;
      },
    })[name]);
  }
  jostle.wrap(Document.prototype, "close", (original) => ({
    close() {
      const result = native.apply(original, this, arguments);
      if (this === document) openedByScript = false;
      return result;
    },
  }).close);
  jostle.onDocument((document) => listen(document, "DOMContentLoaded", () => { lifecycle.push("DOMContentLoaded"); jostle.activity++; }));
  listen(globalThis, "load", (event) => {
    if (dom.target(event) === document) { lifecycle.push("load"); jostle.activity++; }
  });
  for (const type of ["popstate", "hashchange", "pageshow"]) {
    listen(globalThis, type, () => { if (type !== "pageshow") lifecycle.push(type); jostle.activity++; });
  }

  const addressOf = dom.take(HTMLScriptElement.prototype, "src");
  // The address of the fence at which the parser stands; empty when it stands at none.
  const fenced = () => {
    const scripts = dom.byTag(document, "script");
    for (let i = 0; i < scripts.length; i++) if (isFence(scripts[i])) return addressOf(scripts[i]);
    return "";
  };
  jostle.report = () => {
    assigned();
    const loading = dom.readyState(document) === "loading";
    const report = {
      ...jostle.heldSince(),
      changes: changes(),
      formWrites,
      storageWrites,
      lifecycle,
      limits,
      traffic: jostle.traffic.splice(0),
      prevented: userEvents.some((event) => dom.defaultPrevented(event) && !stayed.has(event)),
      version: jostle.version,
      now: jostle.clock.now,
      marks: jostle.sendMarks(),
      loading: loading && !openedByScript,
      fenced: loading ? fenced() : "",
    };
    formWrites = new List();
    storageWrites = new List();
    lifecycle = new List();
    limits = new List();
    userEvents = new List();
    return report;
  };
}
