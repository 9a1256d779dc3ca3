// Reading the document so that the page can neither replace nor clobber what we read with:
// every accessor is taken from its prototype before any page script runs.
(jostle) => {
  const uncurry = Function.prototype.bind.bind(Function.prototype.call);
  const take = (owner, name) => {
    const own = owner && Object.getOwnPropertyDescriptor(owner, name);
    const method = own && (own.get ?? own.value);
    return typeof method === "function" ? uncurry(method) : () => undefined;
  };
  // A new window keeps its globals when its first, empty document is replaced: the document is looked up each time.
  const ofPage = (name) => { const read = take(Document.prototype, name); return () => read(document); };
  // For what only some elements have: undefined for the others, such as the `a` of SVG, which is no HTML link.
  const takeOwn = (owner, name) => {
    const read = take(owner, name);
    return (el) => { try { return read(el); } catch { return undefined; } };
  };
  const P = (constructor) => globalThis[constructor]?.prototype;
  const node = P("Node"), element = P("Element"), html = P("HTMLElement"), doc = P("Document"), shadow = P("ShadowRoot");

  // Texts and patterns: what the page replaces of regular expressions is not used. Without that, all is as fast as ever.
  const exec = uncurry(RegExp.prototype.exec), slice = uncurry(String.prototype.slice);
  const replaceText = uncurry(String.prototype.replace), splitText = uncurry(String.prototype.split);
  const replacePattern = uncurry(RegExp.prototype[Symbol.replace]);
  const { exec: nativeExec, [Symbol.split]: nativeSplit } = RegExp.prototype, { defineProperty } = Object;
  const patterns = RegExp.prototype, splitting = Symbol.split;
  const pristine = () => patterns.exec === nativeExec && patterns[splitting] === nativeSplit;
  const own = (pattern) => (patterns.exec === nativeExec ? pattern : defineProperty(pattern, "exec", { __proto__: null, value: nativeExec, configurable: true }));

  // A promise that is given an object asks it for `then`, which the page may have put on all objects: this one has none.
  jostle.thenless = (object) => defineProperty(object, "then", { __proto__: null, value: undefined });

  const dom = (jostle.dom = {
    take,
    safe,
    SafeMap: Map,
    SafeSet: Set,
    replace: (text, pattern, by) => (typeof pattern === "string" ? replaceText(text, pattern, by) : replacePattern(own(pattern), text, by)),
    trim: uncurry(String.prototype.trim),
    slice,
    split: (text, by) => {
      if (typeof by === "string" || pristine()) return splitText(text, by);
      const parts = new List();
      let from = 0;
      for (const all = new RegExp(by.source, `${by.ignoreCase ? "i" : ""}g`), found = { at: null }; (found.at = exec(all, text));) {
        if (found.at[0] === "") break; // none of ours
        parts.push(slice(text, from, found.at.index));
        from = found.at.index + found.at[0].length;
      }
      parts.push(slice(text, from));
      return parts;
    },
    indexOf: uncurry(String.prototype.indexOf),
    startsWith: uncurry(String.prototype.startsWith),
    lower: uncurry(String.prototype.toLowerCase),
    test: (pattern, text) => exec(pattern, text) !== null,
    exec,
    sort: uncurry(Array.prototype.sort),
    join: uncurry(Array.prototype.join),
    some: uncurry(Array.prototype.some),
    setHas: uncurry(Set.prototype.has),
    setSize: take(Set.prototype, "size"),
    weakGet: uncurry(WeakMap.prototype.get),
    ownNames: Object.getOwnPropertyNames,
    descriptor: Object.getOwnPropertyDescriptor,
    ownProperty: Object.getOwnPropertyDescriptor,

    target: take(P("Event"), "target"),
    defaultPrevented: take(P("Event"), "defaultPrevented"),
    nodeType: take(node, "nodeType"),
    parent: take(node, "parentNode"),
    firstChild: take(node, "firstChild"),
    nextSibling: take(node, "nextSibling"),
    rootOf: take(node, "getRootNode"),
    contains: take(node, "contains"),
    isConnected: take(node, "isConnected"),
    parentElement: take(node, "parentElement"),
    readyState: take(doc, "readyState"),
    byTag: take(doc, "getElementsByTagName"),
    data: take(P("CharacterData"), "data"),

    tag: take(element, "localName"),
    attribute: take(element, "getAttribute"),
    has: take(element, "hasAttribute"),
    attributeNames: take(element, "getAttributeNames"),
    matches: take(element, "matches"),
    closest: take(element, "closest"),
    assignedSlot: take(element, "assignedSlot"),
    shadowRoot: take(element, "shadowRoot"),
    host: take(shadow, "host"),
    firstElement: take(element, "firstElementChild"),
    nextElement: take(element, "nextElementSibling"),
    rects: take(element, "getClientRects"),
    box: take(element, "getBoundingClientRect"),
    scrollIntoView: take(element, "scrollIntoView"),
    scrollTo: take(element, "scrollTo"),
    scrollHeight: take(element, "scrollHeight"),
    clientHeight: take(element, "clientHeight"),
    scrollWidth: take(element, "scrollWidth"),
    scrollTop: take(element, "scrollTop"),
    scrollLeft: take(element, "scrollLeft"),
    checkVisibility: take(element, "checkVisibility"),
    editable: takeOwn(html, "isContentEditable"),
    draggable: takeOwn(html, "draggable"),

    style: globalThis.getComputedStyle.bind(globalThis),
    property: take(P("CSSStyleDeclaration"), "getPropertyValue"),
    width: take(globalThis, "innerWidth"),
    height: take(globalThis, "innerHeight"),
    scrollX: take(globalThis, "scrollX"),
    scrollY: take(globalThis, "scrollY"),

    top: ofPage("documentElement"),
    body: ofPage("body"),
    title: ofPage("title"),
    cookie: ofPage("cookie"),
    scroller: ofPage("scrollingElement"),
  });

  // Of the methods a document, a shadow root and an element have in common, each takes its own.
  const byKind = (name) => {
    const ofDocument = take(doc, name), ofElement = take(element, name);
    const ofFragment = take(shadow && Object.hasOwn(shadow, name) ? shadow : P("DocumentFragment"), name);
    return (root, one, two) => { // no spreading: the page may replace how lists are gone through
      const kind = dom.nodeType(root);
      return (kind === 9 ? ofDocument : kind === 1 ? ofElement : ofFragment)(root, one, two);
    };
  };
  dom.all = byKind("querySelectorAll");
  dom.first = byKind("querySelector");
  dom.byId = byKind("getElementById");
  dom.active = byKind("activeElement");
  const fromPoint = byKind("elementFromPoint");

  dom.labels = { __proto__: null };
  dom.value = { __proto__: null };
  for (const [tag, name] of [["input", "HTMLInputElement"], ["select", "HTMLSelectElement"], ["textarea", "HTMLTextAreaElement"]]) {
    dom.labels[tag] = takeOwn(P(name), "labels");
    dom.value[tag] = takeOwn(P(name), "value");
  }
  dom.setInputValue = uncurry(Object.getOwnPropertyDescriptor(P("HTMLInputElement"), "value").set);
  const input = P("HTMLInputElement");
  for (const name of ["type", "checked", "indeterminate", "files", "readOnly"]) dom[name] = takeOwn(input, name);
  const forms = { __proto__: null };
  for (const name of ["Input", "Select", "TextArea", "Button", "Output", "FieldSet"]) forms[name.toLowerCase()] = takeOwn(P(`HTML${name}Element`), "form");
  dom.form = (el) => forms[dom.tag(el)]?.(el) ?? null;
  dom.options = takeOwn(P("HTMLSelectElement"), "options");
  dom.listSize = takeOwn(P("HTMLSelectElement"), "size");
  dom.multiple = takeOwn(P("HTMLSelectElement"), "multiple");
  dom.selected = takeOwn(P("HTMLOptionElement"), "selected");
  dom.optionLabel = takeOwn(P("HTMLOptionElement"), "label");
  // Where a link leads: `a` and `area` of HTML say so themselves, for the `a` of SVG it must be worked out.
  const hrefs = [takeOwn(P("HTMLAnchorElement"), "href"), takeOwn(P("HTMLAreaElement"), "href")];
  const { URL } = globalThis, baseOf = take(node, "baseURI");
  const resolved = (el) => { try { return new URL(dom.attribute(el, "href"), baseOf(el)).href; } catch { return ""; } };
  dom.href = (el) => hrefs[0](el) ?? hrefs[1](el) ?? resolved(el);
  dom.labelled = takeOwn(P("HTMLLabelElement"), "control");
  const tabIndices = [takeOwn(html, "tabIndex"), takeOwn(P("SVGElement"), "tabIndex")];
  dom.tabIndex = (el) => tabIndices[0](el) ?? tabIndices[1](el) ?? -1;
  dom.fileName = take(P("File"), "name");

  // The parent as the screen shows it: through slots and out of shadow roots.
  dom.shownParent = (el) => {
    const slot = dom.nodeType(el) === 1 && dom.assignedSlot(el);
    if (slot) return slot;
    const up = dom.parent(el);
    return up && dom.nodeType(up) === 11 ? hostOf(up) : up && dom.nodeType(up) === 1 ? up : null;
  };
  // A fragment that is not in the page has none.
  const hostOf = (dom.hostOf = (root) => { try { return dom.host(root) ?? null; } catch { return null; } });
  dom.isInside = (inner, outer) => {
    for (let at = inner; at; at = dom.shownParent(at)) if (at === outer) return true;
    return false;
  };
  // What is on top at a point of the viewport, through open shadow roots.
  dom.at = (x, y) => {
    let found = fromPoint(document, x, y);
    for (let depth = 0; found && depth < 50; depth++) {
      const root = dom.shadowRoot(found);
      const inner = root && fromPoint(root, x, y);
      if (!inner || inner === found || dom.rootOf(inner) !== root) break;
      found = inner;
    }
    return found;
  };
  dom.focused = () => {
    let found = dom.active(document);
    for (let depth = 0; found && depth < 50; depth++) {
      const root = dom.shadowRoot(found);
      const inner = root && dom.active(root);
      if (!inner) break;
      found = inner;
    }
    return found;
  };

  // Parts of the page that the user wants left out of comparisons.
  const isSelector = (text) => {
    try {
      dom.matches(dom.top(), text);
      return true;
    } catch {
      jostle.limit?.(`ignore.regions: ${text} is not a CSS selector, so nothing was left out because of it`);
      return false;
    }
  };
  let ignored = null;
  jostle.ignores = (el) => {
    if (ignored === null) {
      const regions = jostle.ignored ?? [];
      ignored = "";
      for (let i = 0; i < regions.length; i++) if (isSelector(regions[i])) ignored += `${ignored && ", "}${regions[i]}`;
    }
    return ignored !== "" && dom.matches(el, ignored);
  };
}
