// What the running event does to the page: collected between two reports.
(jostle) => {
  const { native } = jostle;
  const MOST_CHANGES = 200;
  let records = [];
  let dropped = 0;
  let formWrites = [];
  let storageWrites = [];
  let lifecycle = [];
  let limits = new Set();
  let userEvents = [];
  jostle.frameWanted = false;
  jostle.limit = (words) => limits.add(words);

  // A short name of an element for people who read markup.
  jostle.label = (node) => {
    const element = node.nodeType === 1 ? node : node.parentElement ?? node.host;
    if (!element?.tagName) return "document";
    const name = element.localName;
    const id = element.getAttribute?.("id");
    const kind = element.getAttribute?.("class")?.trim().split(/\s+/)[0];
    return id ? `${name}#${id}` : kind ? `${name}.${kind}` : name;
  };

  const note = (batch) => {
    jostle.activity++;
    jostle.version++;
    const room = 20 * MOST_CHANGES - records.length;
    if (batch.length > room) dropped += batch.length - Math.max(0, room);
    if (room > 0) records.push(...batch.slice(0, room));
  };
  const observer = new native.MutationObserver(note);
  const everything = { subtree: true, childList: true, attributes: true, characterData: true };
  observer.observe(document, everything);
  jostle.wrap(Element.prototype, "attachShadow", (original) => ({
    attachShadow(options) {
      const root = native.apply(original, this, [options]);
      observer.observe(root, everything);
      return root;
    },
  }).attachShadow);

  const boxOf = (node) => {
    const element = node.nodeType === 1 ? node : node.parentElement;
    if (!element?.isConnected) return null;
    const { x, y, width, height } = element.getBoundingClientRect();
    return width && height ? [x + scrollX, y + scrollY, width, height] : null;
  };
  const changes = () => {
    const pending = observer.takeRecords();
    if (pending.length) note(pending);
    const seen = new Map();
    for (const record of records) {
      const what = record.type === "childList" ? "children" : record.type === "characterData" ? "text" : `attribute ${record.attributeName}`;
      const known = seen.get(record.target) ?? seen.set(record.target, new Set()).get(record.target);
      if (known.has(what) || seen.size > MOST_CHANGES) continue;
      known.add(what);
    }
    const list = [];
    for (const [target, whats] of seen) {
      const box = boxOf(target);
      for (const what of whats) list.push({ what, target: jostle.label(target), ...(box ? { box } : {}) });
    }
    if (dropped || seen.size > MOST_CHANGES) limits.add(`more than ${MOST_CHANGES} elements changed at once; the rest is not listed`);
    records = [];
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

  const area = (storage) => { try { return storage === globalThis.localStorage ? "localStorage" : "sessionStorage"; } catch { return "storage"; } };
  jostle.wrap(Storage.prototype, "setItem", (original) => ({
    setItem(key, value) {
      native.apply(original, this, arguments);
      storageWrites.push({ area: area(this), key: String(key), value: String(value) });
    },
  }).setItem);
  jostle.wrap(Storage.prototype, "removeItem", (original) => ({
    removeItem(key) {
      native.apply(original, this, arguments);
      storageWrites.push({ area: area(this), key: String(key), value: null });
    },
  }).removeItem);
  jostle.wrap(Storage.prototype, "clear", (original) => ({
    clear() {
      native.apply(original, this, arguments);
      storageWrites.push({ area: area(this), key: "*", value: null });
    },
  }).clear);
  jostle.wrapAccessor(Document.prototype, "cookie", ({ set }) => ({
    set(value) {
      native.apply(set, this, [value]);
      const [, key, content] = /^\s*([^=;]*)=?([^;]*)/.exec(String(value)) ?? ["", "", ""];
      storageWrites.push({ area: "cookie", key, value: content });
    },
  }));

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
  for (const type of ["scroll", "resize", "input", "change", "toggle", "focusin", "focusout"]) {
    listen(globalThis, type, () => {
      jostle.activity++;
      jostle.version++;
      if (type === "scroll" || type === "resize") jostle.frameWanted = true;
    });
  }
  listen(document, "DOMContentLoaded", () => { lifecycle.push("DOMContentLoaded"); jostle.activity++; });
  listen(globalThis, "load", (event) => {
    if (event.target === document) { lifecycle.push("load"); jostle.activity++; }
  });
  for (const type of ["popstate", "hashchange", "pageshow"]) {
    listen(globalThis, type, () => { if (type !== "pageshow") lifecycle.push(type); jostle.activity++; });
  }

  jostle.report = () => {
    const report = {
      ...jostle.heldSince(),
      changes: changes(),
      formWrites,
      storageWrites,
      lifecycle,
      limits: [...limits],
      traffic: jostle.traffic.splice(0),
      prevented: userEvents.some((event) => event.defaultPrevented),
      version: jostle.version,
      now: jostle.clock.now,
      workers: jostle.workers === true,
      loading: document.readyState === "loading",
    };
    formWrites = [];
    storageWrites = [];
    lifecycle = [];
    limits = new Set();
    userEvents = [];
    return report;
  };
}
