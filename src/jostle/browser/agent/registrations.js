// While a page loads: who begins to listen to what, and what scripts do to fields and to the focus.
// Listeners are noted, never wrapped: removing them, `once`, `signal` and objects with `handleEvent` work as ever.
(jostle) => {
  const { dom, native } = jostle;
  const MOST_NOTES = 4000;
  const MOST_INSIDE = 300;
  const SOURCE_LENGTH = 1500;
  let notes = new List();
  let dropped = 0;
  let told = false;

  const numbers = new dom.SafeMap(); // of elements that were spoken of; strong, for no load goes on for long
  const fresh = new dom.SafeSet();
  const isElement = (target) => { try { return dom.nodeType(target) === 1; } catch { return false; } };
  const numberOf = (el) => {
    let number = numbers.get(el);
    if (number === undefined) {
      numbers.set(el, (number = numbers.size + 1));
      fresh.add(el);
    }
    return number;
  };
  // An element by its number, the page itself, or null for what the user cannot act on.
  const targetOf = (target) => {
    if (target === globalThis) return "window";
    if (target === document) return "document";
    if (isElement(target)) return numberOf(target);
    try {
      const host = dom.host(target); // a shadow root
      return host ? numberOf(host) : null;
    } catch {
      return null;
    }
  };
  const note = (item) => {
    if (notes.length >= MOST_NOTES) dropped++;
    else notes[notes.length] = { event: jostle.current, ...item };
  };

  // Which event brought an element into the page.
  const born = new WeakMap();
  const bornIn = (el) => {
    for (let at = el; at; at = dom.parent(at) ?? null) {
      const event = dom.weakGet(born, at);
      if (event) return event.key;
    }
    return "";
  };
  const addedTo = dom.take(MutationRecord.prototype, "addedNodes"), { takeRecords } = native.MutationObserver.prototype;
  const births = (records) => {
    for (let i = 0; i < records.length; i++) {
      const added = addedTo(records[i]);
      for (let n = 0; n < added.length; n++) if (dom.nodeType(added[n]) === 1 && !born.has(added[n])) born.set(added[n], jostle.current);
    }
  };
  const watcher = new native.MutationObserver(births);
  jostle.onDocument((document) => watcher.observe(document, { subtree: true, childList: true }));

  // Listeners.
  const known = new WeakMap();
  let lastListener = 0;
  const nameOf = (listener) => {
    let name = known.get(listener);
    if (!name) known.set(listener, (name = ++lastListener));
    return name;
  };
  const sourceOf = (listener) => {
    try {
      const run = typeof listener === "function" ? listener : listener.handleEvent;
      return dom.slice(native.apply(native.toString, jostle.original(run), []), 0, SOURCE_LENGTH);
    } catch {
      return "";
    }
  };
  const listens = (target, type, listener) => {
    if (listener === null || (typeof listener !== "function" && typeof listener !== "object")) return;
    const number = targetOf(target);
    if (number !== null) note({ what: "listen", target: number, type, listener: nameOf(listener), source: sourceOf(listener), site: jostle.site() });
  };
  jostle.wrap(EventTarget.prototype, "addEventListener", (original) => ({
    addEventListener(type, listener) {
      if (typeof type === "string") listens(this ?? globalThis, type, listener);
      return native.apply(original, this, arguments);
    },
  }).addEventListener);
  jostle.wrap(EventTarget.prototype, "removeEventListener", (original) => ({
    removeEventListener(type, listener) {
      const name = listener && typeof listener !== "string" && typeof type === "string" ? known.get(listener) : null;
      const number = name ? targetOf(this ?? globalThis) : null;
      if (number !== null) note({ what: "unlisten", target: number, type, listener: name });
      return native.apply(original, this, arguments);
    },
  }).removeEventListener);
  for (const owner of [globalThis, "Document", "HTMLElement", "SVGElement", "MathMLElement", "HTMLBodyElement"].map((name) => (typeof name === "string" ? globalThis[name]?.prototype : name))) {
    for (const name of owner ? dom.ownNames(owner) : []) {
      if (!/^on[a-z]+$/.test(name)) continue;
      jostle.wrapAccessor(owner, name, ({ set }) => ({
        set(value) {
          native.apply(set, this ?? globalThis, [value]);
          if (typeof value === "function") listens(this ?? globalThis, name.slice(2), value);
        },
      }));
    }
  }
  jostle.wrap(globalThis.CustomElementRegistry?.prototype, "define", (original) => ({
    define(name) {
      const there = typeof name === "string" ? [...document.getElementsByTagName(name)].slice(0, 50) : [];
      for (const el of there) note({ what: "listen", target: numberOf(el), type: "upgrade", listener: 0, source: name, site: jostle.site() });
      return native.apply(original, this, arguments);
    },
  }).define);

  // Fields that scripts write.
  const wrote = (el, value) => {
    const field = dom.tag(el) === "option" ? dom.closest(el, "select") : el;
    if (field) note({ what: "write", target: numberOf(field), value: String(value).slice(0, 200), site: jostle.site() });
  };
  for (const [owner, names] of [
    [HTMLInputElement, ["value", "checked", "valueAsNumber", "valueAsDate"]],
    [HTMLTextAreaElement, ["value"]],
    [HTMLSelectElement, ["value", "selectedIndex"]],
    [HTMLOptionElement, ["selected"]],
  ]) {
    for (const name of names) {
      jostle.wrapAccessor(owner.prototype, name, ({ set }) => ({
        set(value) {
          native.apply(set, this, [value]);
          wrote(this, value);
        },
      }));
    }
  }
  for (const { prototype } of [HTMLInputElement, HTMLTextAreaElement]) {
    jostle.wrap(prototype, "setRangeText", (original) => ({
      setRangeText(text) {
        const result = native.apply(original, this, arguments);
        wrote(this, text);
        return result;
      },
    }).setRangeText);
  }
  jostle.wrap(HTMLFormElement.prototype, "reset", (original) => ({
    reset() {
      const result = native.apply(original, this, arguments);
      const inside = dom.all(this, "input, select, textarea");
      for (let i = 0; i < inside.length; i++) wrote(inside[i], "");
      return result;
    },
  }).reset);

  // Focus that scripts move.
  for (const owner of [globalThis.HTMLElement, globalThis.SVGElement]) {
    jostle.wrap(owner?.prototype, "focus", (original) => ({
      focus() {
        if (isElement(this)) note({ what: "focus", target: numberOf(this), site: jostle.site() });
        return native.apply(original, this, arguments);
      },
    }).focus);
  }

  // What only a look at the document shows: handlers and focus in the markup, fields that were replaced.
  const USER = /^(click|dblclick|contextmenu|auxclick|mouse|pointer|key|touch|input|change|submit|reset)/;
  const seen = new WeakSet();
  const markup = () => {
    const roots = jostle.roots();
    for (let r = 0; r < roots.length; r++) {
      const all = dom.all(roots[r], "*");
      for (let i = 0; i < all.length; i++) {
        const el = all[i];
        if (seen.has(el)) continue;
        seen.add(el);
        if (dom.has(el, "autofocus")) note({ what: "focus", target: numberOf(el), site: "", auto: true });
        const names = dom.attributeNames(el);
        for (let k = 0; k < names.length; k++) {
          if (!dom.startsWith(names[k], "on") || !dom.test(USER, dom.slice(names[k], 2))) continue;
          note({ what: "listen", target: numberOf(el), type: dom.slice(names[k], 2), listener: 0, source: dom.slice(dom.attribute(el, names[k]), 0, SOURCE_LENGTH), site: "", markup: true });
        }
      }
    }
  };
  const isConnected = dom.take(Node.prototype, "isConnected");
  const fields = new dom.SafeMap(); // that could be filled in at some time -> what stood in them
  const contentOf = (el) => (dom.type(el) === "checkbox" || dom.type(el) === "radio" ? String(dom.checked(el)) : dom.value[dom.tag(el)] ? dom.value[dom.tag(el)](el) : el.textContent);
  const compared = () => {
    fields.forEach((before, el) => {
      const there = isConnected(el);
      if (!there || contentOf(el) !== before) note({ what: "write", target: numberOf(el), value: there ? dom.slice(String(contentOf(el)), 0, 200) : "", site: "", replaced: !there });
      if (there) fields.set(el, contentOf(el));
      else fields.delete(el);
    });
  };

  // Scripts with an address, and how each is loaded; an async one in the markup stands before or behind an element.
  const scripts = () => {
    const list = new List(), all = dom.all(document, "script[src]");
    for (let i = 0; i < all.length; i++) {
      const el = all[i];
      const module = dom.attribute(el, "type") === "module";
      list.push({ el, url: el.src, kind: el.async ? "async" : module || el.defer ? "defer" : "blocking" });
    }
    return list;
  };
  const describe = (el, asynchronous) => ({
    number: numbers.get(el), ...jostle.described(el), label: jostle.label(el), born: bornIn(el),
    behind: asynchronous.filter((script) => script.el.compareDocumentPosition(el) & Node.DOCUMENT_POSITION_FOLLOWING).map(({ url }) => url),
    ...(dom.tag(el) === "input" && dom.type(el) === "radio" ? { group: `${dom.attribute(el, "form") ?? ""} ${dom.attribute(el, "name")}` } : {}),
    ...(dom.matches(el, "button, input") && dom.test(/^(submit|image)$/, el.type) ? { sends: true } : {}),
    ...(dom.has(el, "src") ? { src: String(el.currentSrc || el.src) } : {}),
  });

  // Frameworks that listen at the root keep an element's own handlers in a property of it: `__reactProps$x.onClick`,
  // `$$click`, `__click`. Nobody calls these; they tell what an element is for.
  const MOST_WIRED = 12;
  const WIRED = /^(?:[$_]+|on:?)([a-z]{3,20})$/i;
  const functionsOf = (owner, found, deep) => {
    const names = dom.ownNames(owner);
    for (let i = 0; i < names.length && found.length < MOST_WIRED; i++) {
      const value = dom.descriptor(owner, names[i])?.value;
      const type = typeof value === "function" ? dom.exec(WIRED, names[i])?.[1] : null;
      if (type) found[found.length] = { type: dom.lower(type), source: sourceOf(value) };
      else if (deep && typeof value === "object" && value !== null && !isElement(value) && dom.test(/^[$_]/, names[i])) functionsOf(value, found, false);
    }
    return found;
  };
  const keptBy = (el) => { try { return functionsOf(el, [], true); } catch { return []; } };
  const wiring = () => {
    const chains = new dom.SafeMap(); // what is kept for an element and for those around it, which hear of it too
    const chainOf = (el) => {
      let chain = chains.get(el);
      if (chain) return chain;
      const parent = dom.shownParent(el);
      const around = parent ? chainOf(parent) : [];
      const own = keptBy(el);
      for (let i = 0; own.length && i < around.length && own.length < MOST_WIRED; i++) own[own.length] = around[i];
      chain = own.length ? own : around;
      chains.set(el, chain);
      return chain;
    };
    const found = new List();
    numbers.forEach((number, el) => {
      const handlers = isConnected(el) ? chainOf(el) : [];
      if (handlers.length) found.push({ number, handlers });
    });
    return found;
  };

  // Who listens at an element listens for all that is inside of it.
  const within = (list) => {
    const inside = new dom.SafeMap();
    for (let i = 0; i < list.length; i++) {
      const item = list[i];
      if (item.what !== "listen" || typeof item.target !== "number" || item.markup) continue;
      if (!inside.has(item.target)) inside.set(item.target, new List());
      item.within = inside.get(item.target);
    }
    if (!inside.size) return;
    numbers.forEach((number, el) => {
      for (let at = dom.shownParent(el); at; at = dom.shownParent(at)) {
        const found = inside.get(numbers.get(at));
        if (found && found.length < MOST_INSIDE) found.push(number);
      }
    });
  };

  const TYPED = { __proto__: null, type: 1, fill: 1, check: 1, select: 1 };
  const look = (offers, wired) => {
    jostle.begin();
    births(native.apply(takeRecords, watcher, []));
    compared();
    markup();
    const first = !told;
    told = true;
    const offered = new List();
    let painted = true;
    if (offers) {
      ({ painted } = jostle.actions());
      const there = jostle.begin().offers;
      if (painted && there) {
        there.forEach((actions, el) => {
          if (el === dom.top()) return;
          if (dom.some(actions, ({ action }) => TYPED[action])) fields.set(el, contentOf(el));
          offered.push({ number: numberOf(el), actions });
        });
      }
    }
    const list = notes.map(({ event, ...rest }) => ({ event: event.key, ...rest }));
    within(list);
    notes = new List();
    const loaded = scripts();
    const asynchronous = loaded.filter(({ kind }) => kind === "async");
    const elements = new List();
    fresh.forEach((el) => {
      if (!isConnected(el)) return; // nobody can act on it; it may be put into the page yet
      elements.push(describe(el, asynchronous));
      fresh.delete(el);
    });
    const missed = dropped;
    dropped = 0;
    return { __proto__: null, first, painted, notes: list, elements, offered, wired: wired ? wiring() : [], dropped: missed, scripts: loaded.map(({ url, kind }) => ({ url, kind })), ready: document.readyState };
  };
  // What has happened since the last look. `offers`: also what the user could do now, element by element; `wired`: also
  // which handlers frameworks keep for which elements.
  jostle.look = ({ offers = false, wired = false } = {}) => {
    try { return look(offers, wired); } catch (error) { return { __proto__: null, failed: String(error?.message ?? "") }; }
  };
}
