// Reading and writing the document: lookups against insertion and removal, children, texts, attributes.
(jostle) => {
  const { dom, native, access, nodePath, identities } = jostle;
  const { SafeMap, take, tag, attribute } = dom;
  const { SafeWeakMap, SafeWeakSet, textOf, isNode } = identities;
  const MOST_INSIDE = 50; // elements below one whose whole text is read
  const isConnected = take(Node.prototype, "isConnected");
  const itemsOf = take(NodeList.prototype, "length");
  const byClass = take(Document.prototype, "getElementsByClassName"), byTag = take(Document.prototype, "getElementsByTagName"), byName = take(Document.prototype, "getElementsByName");
  const collectionLength = take(HTMLCollection.prototype, "length");
  const wordsOf = (value) => (value === null || value === undefined ? [] : dom.split(dom.trim(dom.replace(`${value}`, /\s+/g, " ")), " "));
  const string = (value) => { try { return `${value}`; } catch { return ""; } };

  // What a lookup depends on, and what brings it about: `tree:ID`, `tree:.CLASS`, `tree:<TAG>`, `tree:[name=NAME]`.
  const ID = 0, CLASS = 1, TAG = 2, NAME = 3, ALL = 4;
  const keyed = (kind, name) => (kind === ID ? `tree:${name}` : kind === CLASS ? `tree:.${name}` : kind === TAG ? `tree:<${name}>` : kind === NAME ? `tree:[name=${name}]` : "tree:<*>");
  const wordsFor = (kind, name) => (kind === ID ? `element #${name}` : kind === CLASS ? `elements .${name}` : kind === TAG ? `${name} elements` : kind === NAME ? `elements named ${name}` : "all elements");
  const there = (kind, name) => () => {
    if (kind === ID) { const found = dom.byId(document, name); return found ? textOf(found) : "null"; }
    return `${kind === NAME ? itemsOf(byName(document, name)) : collectionLength(kind === CLASS ? byClass(document, name) : byTag(document, kind === TAG ? name : "*"))}`;
  };
  const looks = (kind, name, value, site) => access(keyed(kind, name), false, value ?? there(kind, name), wordsFor(kind, name), site);
  const moves = (kind, name, site) => access(keyed(kind, name), true, there(kind, name), wordsFor(kind, name), site);

  // The last step of a selector, by its most telling part.
  const selectors = new SafeMap();
  const keysOf = (selector) => {
    let keys = selectors.get(selector);
    if (keys) return keys;
    keys = [];
    const bare = dom.replace(dom.replace(selector, /\[[^\]]*\]/g, "[]"), /::?[\w-]+(\([^()]*(\([^()]*\))*[^()]*\))?/g, "");
    const parts = dom.split(bare, ",");
    for (let i = 0; i < parts.length; i++) {
      const steps = dom.split(dom.trim(parts[i]), /[\s>+~]+/);
      const last = steps[steps.length - 1] ?? "";
      const id = /#([^#.[]+)/.exec(last), kind = /\.([^#.[]+)/.exec(last), name = /^[a-z][\w-]*/i.exec(last);
      keys[i] = id ? [ID, id[1]] : kind ? [CLASS, kind[1]] : name ? [TAG, dom.lower(name[0])] : [ALL, ""];
    }
    if (selectors.size < 5000) selectors.set(selector, keys);
    return keys;
  };

  // Mutations: those the page makes by hooked functions are looked at right behind them, all others as soon as anything
  // else is noted, at the latest when the browser tells of them.
  const born = new SafeWeakSet(); // nodes of this event: nobody else has seen what is in them
  let newborn = [];
  const bear = (node) => {
    born.add(node);
    newborn[newborn.length] = node;
  };
  const bears = (node) => {
    if (jostle.unwatched || !node || typeof node !== "object") return node;
    bear(node);
    const inside = dom.nodeType(node) === 1 || dom.nodeType(node) === 11 ? dom.all(node, "*") : [];
    for (let i = 0; i < inside.length; i++) bear(inside[i]);
    return node;
  };
  for (const [owner, names] of [[Document.prototype, ["createElement", "createElementNS", "createDocumentFragment", "importNode"]], [Node.prototype, ["cloneNode"]]]) {
    for (const name of names) jostle.wrap(owner, name, (original) => ({
      [name]() { return bears(native.apply(original, this, arguments)); },
    })[name]);
  }
  for (const name of ["Image", "Audio", "Option"]) jostle.wrapConstructor(name, (Target, args, newTarget) => bears(native.construct(Target, args, newTarget)));
  const comeOrGo = (node, site, isNew) => {
    if (dom.nodeType(node) !== 1) return;
    const visit = (el) => {
      moves(TAG, tag(el), site);
      const id = attribute(el, "id"), name = attribute(el, "name"), kinds = attribute(el, "class");
      if (id) moves(ID, id, site);
      if (name) moves(NAME, name, site);
      if (kinds) for (const kind of wordsOf(kinds)) if (kind) moves(CLASS, kind, site);
      if (isNew) bear(el);
    };
    visit(node);
    const inside = dom.all(node, "*");
    for (let i = 0; i < inside.length; i++) visit(inside[i]);
    moves(ALL, "", site);
  };
  // Whether these nodes are anything to people: elements, and texts that are more than space.
  const matter = (nodes) => {
    for (let i = 0; i < nodes.length; i++) {
      const kind = dom.nodeType(nodes[i]);
      if (kind === 1 || (kind === 3 && dom.test(/\S/, dom.data(nodes[i])))) return true;
    }
    return false;
  };
  // Children and text are one: whoever sets the text takes the children away, and children bring text. No attribute has this name.
  const CONTENT = "<content>";
  const nameFor = (node, what) => `${what === CONTENT ? "content" : what} of ${nodePath(node)}`;
  // What an event makes itself is nobody else's before it is over.
  const touched = (node, what, write, site) => born.has(node) || access(`dom:${nodePath(node)}@${what}`, write, contentOf(node, what), nameFor(node, what), site);
  const written = (node, what, site) => touched(node, what, true, site);
  const read = (node, what, site) => touched(node, what, false, site);
  const wholeText = take(Node.prototype, "textContent");
  const contentOf = (node, what) => () => {
    if (what !== CONTENT) return textOf(attribute(node, what));
    let count = 0;
    for (let at = dom.firstChild(node); at; at = dom.nextSibling(at)) if (dom.nodeType(at) === 1) count++;
    const text = textOf(wholeText(node) ?? "");
    return count ? `${count}: ${dom.slice(text, 0, 70)}` : text;
  };
  const changedAttribute = (el, name, before, site) => {
    const now = attribute(el, name);
    if (name === "id") {
      if (before) moves(ID, before, site);
      if (now) moves(ID, now, site);
    } else if (name === "class") {
      const old = wordsOf(before), fresh = wordsOf(now);
      for (const kind of old) if (kind && !fresh.includes(kind)) moves(CLASS, kind, site);
      for (const kind of fresh) if (kind && !old.includes(kind)) moves(CLASS, kind, site);
    } else if (dom.startsWith(name, "on")) jostle.handlerWritten?.(el, dom.slice(name, 2), site);
    written(el, name, site);
  };
  const isFence = (node) => dom.nodeType(node) === 1 && tag(node) === "script" && dom.test(/\/__jostle_fence__\//, attribute(node, "src") ?? "");
  const work = (records, site) => {
    for (let i = 0; i < records.length; i++) {
      const record = records[i], { target } = record;
      if (record.type === "attributes") changedAttribute(target, record.attributeName, record.oldValue, site);
      else if (record.type === "characterData") {
        const up = dom.parent(target);
        if (up) written(up, CONTENT, site);
      } else {
        const { addedNodes: added, removedNodes: removed } = record;
        if (added.length + removed.length === 1 && isFence(added[0] ?? removed[0])) continue;
        if (matter(added) || matter(removed)) written(target, CONTENT, site);
        for (let n = 0; n < added.length; n++) comeOrGo(added[n], site, true);
        for (let n = 0; n < removed.length; n++) comeOrGo(removed[n], site, false);
      }
    }
  };
  const observer = new native.MutationObserver((records) => work(records, ""));
  const takeRecords = dom.take(native.MutationObserver.prototype, "takeRecords");
  const everything = { subtree: true, childList: true, attributes: true, attributeOldValue: true, characterData: true };
  const watched = new SafeWeakSet();
  const watch = (root) => {
    if (!watched.has(root)) observer.observe(root, everything);
    watched.add(root);
  };
  jostle.onDocument(watch);
  jostle.wrap(Element.prototype, "attachShadow", (original) => ({
    attachShadow(options) {
      const root = native.apply(original, this, [options]);
      watch(root);
      return root;
    },
  }).attachShadow);
  // `site`: where the page has done it, if that is known; undefined: to be found on the stack.
  const flush = (site) => {
    if (jostle.unwatched) return;
    const records = takeRecords(observer);
    if (records.length) work(records, site);
  };
  let unobserved = null; // where the page may have written something that nothing tells of but a record
  jostle.beforeNoting((site) => {
    if (unobserved !== null || site === "") {
      flush(unobserved ?? "");
      unobserved = null;
    }
    if (site === "" && newborn.length) { // the event is over
      for (let i = 0; i < newborn.length; i++) born.delete(newborn[i]);
      newborn = [];
    }
  });

  // Functions and setters that change the document.
  const mutates = (owner, names) => {
    for (const name of names) {
      jostle.wrap(owner, name, (original) => ({
        [name]() {
          const result = native.apply(original, this, arguments);
          flush();
          return result;
        },
      })[name]);
    }
  };
  const P = (name) => globalThis[name]?.prototype;
  mutates(Node.prototype, ["appendChild", "insertBefore", "removeChild", "replaceChild", "normalize"]);
  for (const owner of [P("Element"), P("Document"), P("DocumentFragment"), P("CharacterData"), P("DocumentType")]) {
    mutates(owner, ["append", "prepend", "before", "after", "remove", "replaceWith", "replaceChildren", "moveBefore"]);
  }
  mutates(P("Element"), ["insertAdjacentElement", "insertAdjacentHTML", "insertAdjacentText", "setHTMLUnsafe", "setHTML"]);
  mutates(P("ShadowRoot"), ["setHTMLUnsafe", "setHTML"]);
  mutates(P("Document"), ["write", "writeln", "execCommand"]);
  mutates(P("CharacterData"), ["appendData", "deleteData", "insertData", "replaceData"]);
  mutates(P("Text"), ["splitText"]);
  mutates(P("Range"), ["deleteContents", "extractContents", "insertNode", "surroundContents"]);
  mutates(P("HTMLTableElement"), ["createCaption", "createTBody", "createTFoot", "createTHead", "deleteCaption", "deleteRow", "deleteTFoot", "deleteTHead", "insertRow"]);
  for (const name of ["HTMLTableSectionElement", "HTMLTableRowElement"]) mutates(P(name), ["insertRow", "deleteRow", "insertCell", "deleteCell"]);
  for (const name of ["HTMLSelectElement", "HTMLOptionsCollection"]) mutates(P(name), ["add", "remove"]);
  mutates(P("HTMLDialogElement"), ["show", "showModal", "close"]);
  mutates(P("CSSStyleDeclaration"), ["setProperty", "removeProperty"]);
  mutates(P("NamedNodeMap"), ["setNamedItem", "setNamedItemNS", "removeNamedItem", "removeNamedItemNS"]);

  // Lookups.
  const found = (value) => (value === null || value === undefined ? "null" : isNode(value) ? textOf(value) : `${itemsOf(value)}`);
  const looking = (owner, name, keys, live = false) => jostle.wrap(owner, name, (original) => ({
    [name](what) {
      const result = native.apply(original, this, arguments);
      if (jostle.unwatched) return result;
      flush();
      const list = keys(string(what), this);
      const text = typeof result === "boolean" ? `${result}` : live ? undefined : found(result);
      for (let i = 0; i < list.length; i++) looks(list[i][0], list[i][1], text);
      if (live && result) collected.set(result, list);
      return result;
    },
  })[name]);
  const collected = new SafeWeakMap(); // live collection -> what it depends on
  for (const owner of [P("Document"), P("DocumentFragment"), P("Element")]) {
    looking(owner, "getElementById", (id) => [[ID, id]]);
    looking(owner, "querySelector", keysOf);
    looking(owner, "querySelectorAll", keysOf);
    looking(owner, "matches", keysOf);
    looking(owner, "closest", keysOf);
    looking(owner, "getElementsByTagName", (name) => [name === "*" ? [ALL, ""] : [TAG, dom.lower(name)]], true);
    looking(owner, "getElementsByClassName", (names) => wordsOf(names).map((name) => [CLASS, name]), true);
    looking(owner, "getElementsByName", (name) => [[NAME, name]], true);
  }
  for (const [name, key] of [["forms", "form"], ["images", "img"], ["links", "a"], ["scripts", "script"], ["body", "body"], ["head", "head"]]) {
    jostle.wrapAccessor(P("Document"), name, ({ get, set }) => ({
      get() {
        const result = native.apply(get, this, []);
        if (jostle.unwatched) return result;
        flush();
        looks(TAG, key, isNode(result) || result === null ? found(result) : undefined);
        if (result && !isNode(result)) collected.set(result, [[TAG, key]]);
        return result;
      },
      ...(set ? { set(value) { native.apply(set, this, [value]); flush(); } } : {}),
    }));
  }
  // A live collection that was kept is looked up anew with every use.
  const inCollection = (record, object, key, mode, site) => {
    const list = collected.get(object);
    for (let i = 0; list && i < list.length; i++) looks(list[i][0], list[i][1], undefined, site);
    const parent = childrenOf.get(object);
    if (parent) read(parent, CONTENT, site);
    jostle.onPlatform(record, object, key, mode, site);
  };
  jostle.watchedLike(P("HTMLCollection"), inCollection);
  jostle.watchedLike(P("NodeList"), inCollection);
  // An element with an id is a variable of its own, unless there is another of that name.
  jostle.namedElement = (key, site) => {
    if (typeof key === "string" && dom.byId(document, key)) looks(ID, key, undefined, site);
  };

  // Reading children and texts.
  const childrenOf = new SafeWeakMap();
  const reads = (owner, name, note) => jostle.wrapAccessor(owner, name, ({ get }) => ({
    get() {
      const result = native.apply(get, this, []);
      if (jostle.unwatched) return result;
      flush();
      note(this, result);
      return result;
    },
  }));
  const CHILDREN = ["childNodes", "firstChild", "lastChild", "children", "firstElementChild", "lastElementChild", "childElementCount"];
  for (const owner of [Node.prototype, P("Element"), P("Document"), P("DocumentFragment")]) {
    for (const name of CHILDREN) reads(owner, name, (node, result) => {
      read(node, CONTENT);
      if ((name === "children" || name === "childNodes") && result) childrenOf.set(result, node);
    });
  }
  jostle.wrap(Node.prototype, "hasChildNodes", (original) => ({
    hasChildNodes() {
      if (!jostle.unwatched) { flush(); read(this, CONTENT); }
      return native.apply(original, this, arguments);
    },
  }).hasChildNodes);
  for (const owner of [Node.prototype, P("Element"), P("CharacterData")]) {
    for (const name of ["nextSibling", "previousSibling", "nextElementSibling", "previousElementSibling"]) {
      reads(owner, name, (node) => { const up = dom.parent(node); if (up) read(up, CONTENT); });
    }
  }
  // What a whole element contains depends on all that is inside of it.
  const readInside = (node) => {
    const kind = dom.nodeType(node);
    if (kind !== 1 && kind !== 9 && kind !== 11) {
      const up = dom.parent(node);
      if (up) read(up, CONTENT);
      return;
    }
    read(node, CONTENT);
    const inside = dom.all(node, "*");
    for (let i = 0; i < inside.length && i < MOST_INSIDE; i++) read(inside[i], CONTENT);
  };
  const WHOLE = [[Node.prototype, ["textContent", "nodeValue"]], [P("Element"), ["innerHTML", "outerHTML"]], [P("HTMLElement"), ["innerText", "outerText"]], [P("CharacterData"), ["data"]], [P("ShadowRoot"), ["innerHTML"]], [P("HTMLScriptElement"), ["text", "textContent", "innerText"]]];
  for (const [owner, names] of WHOLE) {
    for (const name of names) {
      jostle.wrapAccessor(owner, name, ({ get, set }) => ({
        get() {
          const result = native.apply(get, this, []);
          if (!jostle.unwatched) { flush(); readInside(this); }
          return result;
        },
        set(value) {
          native.apply(set, this, [value]);
          if (!jostle.unwatched) flush();
        },
      }));
    }
  }

  // Attributes, by the functions for them and by the properties that stand for them.
  const attributes = { __proto__: null, className: "class", htmlFor: "for", httpEquiv: "http-equiv", acceptCharset: "accept-charset", defaultValue: "value", defaultChecked: "checked", defaultSelected: "selected" };
  const writes = (el, name) => {
    flush();
    written(el, name); // also when it stays what it was, which no record tells
  };
  for (const [name, write] of [["getAttribute", false], ["hasAttribute", false], ["setAttribute", true], ["removeAttribute", true], ["toggleAttribute", true]]) {
    jostle.wrap(P("Element"), name, (original) => ({
      [name](key) {
        const result = native.apply(original, this, arguments);
        if (jostle.unwatched) return result;
        if (write) writes(this, dom.lower(string(key)));
        else { flush(); read(this, dom.lower(string(key))); }
        return result;
      },
    })[name]);
  }
  mutates(P("Element"), ["setAttributeNS", "removeAttributeNS", "setAttributeNode", "removeAttributeNode", "setAttributeNodeNS"]);
  mutates(P("DOMTokenList"), ["add", "remove", "toggle", "replace"]);
  const OTHERWISE = /^(on|inner|outer|text$|scroll|client|offset|value|checked|selected|indeterminate|files|selection|current|volume|muted|playback|default|style$|shadowRoot|nonce$|integrity$|ch$|chOff$)/;
  const KINDS = ["", "Anchor", "Area", "Button", "Details", "Dialog", "FieldSet", "Form", "IFrame", "Image", "Input", "Label", "LI", "Link", "Media", "Meter",
    "Object", "OptGroup", "Option", "Output", "Progress", "Script", "Select", "Source", "Style", "TableCell", "TextArea", "Track", "Video"];
  for (const owner of [P("Element"), P("SVGElement"), ...KINDS.map((kind) => P(`HTML${kind}Element`))]) {
    for (const key of owner ? dom.ownNames(owner) : []) {
      const own = native.getOwnPropertyDescriptor(owner, key);
      if (!own.get || !own.set || dom.test(OTHERWISE, key)) continue;
      const kind = attributes[key] ?? dom.lower(key);
      jostle.wrapAccessor(owner, key, ({ get, set }) => ({
        get() {
          const result = native.apply(get, this, []);
          if (!jostle.unwatched) { flush(); read(this, kind); }
          return result;
        },
        set(value) {
          native.apply(set, this, [value]);
          if (!jostle.unwatched) writes(this, kind);
        },
      }));
    }
  }
  // Classes, styles and data have objects of their own, which belong to an element.
  const owners = new SafeWeakMap();
  const owned = (owner, name) => jostle.wrapAccessor(owner, name, ({ get, set }) => ({
    get() {
      const result = native.apply(get, this, []);
      if (result && !owners.has(result)) owners.set(result, this);
      return result;
    },
    ...(set ? { set(value) { native.apply(set, this, [value]); if (!jostle.unwatched) flush(); } } : {}),
  }));
  for (const name of ["HTMLElement", "SVGElement", "MathMLElement", "Element"]) for (const key of ["classList", "style", "dataset", "relList"]) owned(P(name), key);
  const through = (attributeOf) => (record, object, key, mode, site) => {
    const el = owners.get(object);
    if (!el) return jostle.onPlatform(record, object, key, mode, site);
    const name = attributeOf(key);
    if (mode === 1 || mode === 3) read(el, name, site);
    if (mode !== 1 && mode !== 5) {
      if (isConnected(el)) unobserved = site;
      else written(el, name, site);
    }
  };
  jostle.watchedLike(P("CSSStyleDeclaration"), through(() => "style"));
  jostle.watchedLike(P("DOMTokenList"), through(() => "class"));
  jostle.watchedLike(P("DOMStringMap"), through((key) => `data-${dom.lower(dom.replace(string(typeof key === "symbol" ? "" : key), /[A-Z]/g, "-$&"))}`));
  for (const [owner, names, attributeName] of [[P("DOMTokenList"), ["contains", "item"], "class"], [P("CSSStyleDeclaration"), ["getPropertyValue"], "style"]]) {
    for (const name of names) jostle.wrap(owner, name, (original) => ({
      [name]() {
        const el = owners.get(this);
        if (el && !jostle.unwatched) { flush(); read(el, attributeName); }
        return native.apply(original, this, arguments);
      },
    })[name]);
  }
}
