// What the running event reads and writes: each location once, with the value first read and the value last written.
// Rewritten scripts tell it here (`jostle.sink`); what they cannot see is told by the parts that follow.
(jostle) => {
  const { dom, native, identities } = jostle;
  const { numberOf, lookUp, textOf, isNode, isArray, hasOwn, proxies, isBuiltin, cut, UNKNOWN, SafeWeakMap } = identities;
  const { SafeMap, SafeSet } = dom;
  const MOST = 100000; // accesses of one event between two reports
  const MOST_ELEMENTS = 50; // of an array that is read or changed as a whole
  const READ = 1, WRITE = 2, BOTH = 3, DELETE = 4, CALL = 5;
  const isPrototypeOf = Function.prototype.bind.bind(Function.prototype.call)(Object.prototype.isPrototypeOf);

  let epoch = 1; // grows with every report
  let log = [];
  let missed = false;
  const enter = (location, write, value, name, source) => {
    if (log.length >= MOST) return void (missed = true);
    const entry = { location, write, value, name, source };
    log[log.length] = entry;
    return entry;
  };
  // Called before anything is noted: whatever is pending happened earlier.
  let pending = () => {};
  jostle.beforeNoting = (run) => { pending = run; };

  // A location with a name of its own. `value` may be a function: it is asked at once for what is read, and for what is
  // written when the event is over. Without `source` it is found on the stack; where there is nobody but us on it, it was
  // not the page.
  const named = new SafeMap(); // location -> {read, write}
  jostle.access = (location, write, value, name = "", source = undefined) => {
    if (jostle.unwatched) return;
    let known = named.get(location);
    if (!known) named.set(location, (known = { read: null, write: null }));
    const entry = write ? known.write : known.read;
    if (entry) {
      if (write) entry.value = value;
      return;
    }
    source ??= jostle.site();
    if (source === "?") return;
    const made = enter(location, write, write || typeof value !== "function" ? value : value(), name, source);
    if (write) known.write = made;
    else known.read = made;
  };

  // Locations that belong to an object: a cell for each, by which the second access of an event is known at once.
  const fresh = (cell, write) => {
    if (cell.epoch !== epoch) {
      cell.epoch = epoch;
      cell.seen = 0;
    }
    const bit = write ? 2 : 1;
    if (cell.seen & bit) return false;
    cell.seen |= bit;
    return true;
  };
  const cellIn = (cells, key) => {
    let cell = cells.get(key);
    if (!cell) cells.set(key, (cell = { epoch: 0, seen: 0 }));
    return cell;
  };
  const shown = (key) => (typeof key === "symbol" ? `[${textOf(key)}]` : `${key}`);
  // What people call it: by the variable or property through which it was seen first.
  const christen = (value, name) => {
    if (name === "" || ((typeof value !== "object" || value === null) && typeof value !== "function")) return;
    const record = recordOf(value);
    if (record.name === "") record.name = cut(name);
  };
  const within = (record, part) => (record.name !== "" ? cut(`${record.name}${part}`) : record.touch !== inArray && part[0] === "." ? cut(dom.slice(part, 1)) : "");

  const noteRead = (record, key, location, part, value, site) => {
    if (!fresh(cellIn(record.cells, key), false)) return;
    const name = within(record, part);
    enter(location, false, value === UNKNOWN ? "" : textOf(value), name, site);
    christen(value, name);
  };
  const noteWrite = (record, key, location, part, site, value) => {
    if (fresh(cellIn(record.cells, key), true)) enter(location, true, value, within(record, part), site);
  };
  const later = (object, key) => () => { const { value } = lookUp(object, key); return value === UNKNOWN ? "" : textOf(value); };

  // A property of an object: what is inherited is read from the one who has it, too.
  const readProperty = (record, object, key, site) => {
    const cell = cellIn(record.cells, key);
    if (cell.epoch === epoch && cell.seen & 1) return;
    const { holder, value } = lookUp(object, key);
    if (holder !== null && holder !== object && isBuiltin(holder)) return void fresh(cell, false);
    noteRead(record, key, `object:${record.id}.${shown(key)}`, `.${shown(key)}`, value, site);
    if (holder !== null && holder !== object) {
      const above = recordOf(holder);
      noteRead(above, key, `object:${above.id}.${shown(key)}`, `.${shown(key)}`, value, site);
    }
  };
  const writeProperty = (record, object, key, site) => noteWrite(record, key, `object:${record.id}.${shown(key)}`, `.${shown(key)}`, site, later(object, key));
  const property = (record, object, key, mode, site) => {
    if (mode !== WRITE && mode !== DELETE) readProperty(record, object, key, site);
    if (mode === WRITE || mode === BOTH || mode === DELETE) writeProperty(record, object, key, site);
  };

  // An array: elements and length. Whoever uses an element depends on the length, which stands for the order of them all.
  const GROWING = { __proto__: null, push: 1, pop: 1 };
  const CHANGING = { __proto__: null, shift: 1, unshift: 1, splice: 1, sort: 1, reverse: 1, fill: 1, copyWithin: 1 };
  const indexOf = (key) => {
    const number = typeof key === "number" ? key : typeof key === "string" && dom.test(/^(0|[1-9]\d{0,9})$/, key) ? +key : -1;
    return number >= 0 && number < 4294967295 && number % 1 === 0 ? number : -1;
  };
  const readLength = (record, array, site) => noteRead(record, "length", `array:${record.id}.length`, ".length", array.length, site);
  const writeLength = (record, array, site) => noteWrite(record, "length", `array:${record.id}.length`, ".length", site, () => `${array.length}`);
  const readElement = (record, array, index, site) => {
    if (cellIn(record.cells, index).epoch === epoch && record.cells.get(index).seen & 1) return;
    const own = native.getOwnPropertyDescriptor(array, index);
    noteRead(record, index, `array:${record.id}[${index}]`, `[${index}]`, own ? (hasOwn(own, "value") ? own.value : UNKNOWN) : undefined, site);
  };
  const writeElement = (record, array, index, site) => noteWrite(record, index, `array:${record.id}[${index}]`, `[${index}]`, site, later(array, index));
  const whole = (record, array, write, site) => {
    const count = array.length < MOST_ELEMENTS ? array.length : MOST_ELEMENTS;
    for (let index = 0; index < count; index++) {
      readElement(record, array, index, site);
      if (write) writeElement(record, array, index, site);
    }
  };
  const isInherited = (array, key) => { const { holder } = lookUp(array, key); return holder !== null && isBuiltin(holder); };
  const inArray = (record, array, key, mode, site) => {
    const index = indexOf(key);
    if (index >= 0) {
      readLength(record, array, site);
      if (mode !== WRITE && mode !== DELETE) readElement(record, array, index, site);
      if (mode !== READ && mode !== CALL) {
        writeElement(record, array, index, site);
        if (index >= array.length) writeLength(record, array, site);
      }
    } else if (key === "length") {
      if (mode !== WRITE) readLength(record, array, site);
      if (mode !== READ && mode !== CALL) writeLength(record, array, site);
    } else if (mode === CALL && !hasOwn(array, key) && isInherited(array, key)) {
      readLength(record, array, site);
      if (GROWING[key]) {
        const at = key === "push" ? array.length : array.length - 1;
        if (key === "pop" && at >= 0) readElement(record, array, at, site);
        if (at >= 0) writeElement(record, array, at, site);
        writeLength(record, array, site);
      } else {
        whole(record, array, CHANGING[key] === 1, site);
        if (CHANGING[key]) writeLength(record, array, site);
      }
    } else property(record, array, key, mode, site);
  };

  // Maps and sets: their content is one location.
  const collections = [];
  for (const [Type, entries] of [[Map, "entries"], [Set, "values"]]) {
    collections[collections.length] = { prototype: Type.prototype, size: dom.take(Type.prototype, "size"), entries: dom.take(Type.prototype, entries) };
  }
  for (const Type of [WeakMap, WeakSet]) collections[collections.length] = { prototype: Type.prototype, size: null };
  const next = dom.take(Object.getPrototypeOf(new Map().entries()), "next"), nextValue = dom.take(Object.getPrototypeOf(new Set().values()), "next");
  const contentOf = ({ size, entries, prototype }, object) => {
    if (!size) return "";
    let text = `${size(object)}:`;
    const iterator = entries(object);
    while (text.length < 80) {
      const { done, value } = (prototype === Map.prototype ? next : nextValue)(iterator);
      if (done) break;
      text += prototype === Map.prototype ? ` ${textOf(value[0])}=${textOf(value[1])}` : ` ${textOf(value)}`;
    }
    return cut(text);
  };
  const ALTERING = { __proto__: null, set: 1, add: 1, delete: 1, clear: 1 };
  const inCollection = (collection) => (record, object, key, mode, site) => {
    if (hasOwn(object, key) || mode === WRITE || lookUp(object, key).holder !== collection.prototype) return property(record, object, key, mode, site);
    const location = `object:${record.id}.content`;
    const content = () => { try { return contentOf(collection, object); } catch { return ""; } };
    if (!ALTERING[key]) {
      if (fresh(cellIn(record.cells, "content"), false)) enter(location, false, content(), record.name, site);
    } else if (fresh(cellIn(record.cells, "content"), true)) enter(location, true, content, record.name, site);
  };

  // Nodes, and what else belongs to the document, are watched where the browser is asked. Properties that the page itself
  // gave them are the page's.
  const onPlatform = (record, object, key, mode, site) => {
    const { holder } = lookUp(object, key);
    if (holder === null || holder === object || !isBuiltin(holder)) property(record, object, key, mode, site);
  };

  // The global object, and variables of scripts.
  const natives = new SafeSet(), replaced = new SafeSet();
  for (let at = globalThis; at; at = Object.getPrototypeOf(at)) for (const key of Reflect.ownKeys(at)) natives.add(key);
  const globals = { id: 0, name: "", cells: new SafeMap() };
  const global = (key, mode, site, value = UNKNOWN) => {
    if (natives.has(key) && !replaced.has(key)) {
      // The browser's own, until the page puts something in its place; behind a setter it is the browser's to say what that is.
      if (mode === READ || mode === CALL || lookUp(globalThis, key).value === UNKNOWN) return;
      replaced.add(key);
    }
    const location = `global:${shown(key)}`;
    if (mode !== WRITE && mode !== DELETE) {
      const cell = cellIn(globals.cells, key);
      if (fresh(cell, false)) {
        const own = native.getOwnPropertyDescriptor(globalThis, key);
        const found = own ? (hasOwn(own, "value") ? own.value : UNKNOWN) : value;
        enter(location, false, found === UNKNOWN ? "" : textOf(found), shown(key), site);
        christen(found, shown(key));
        if (!own) jostle.namedElement?.(key, site);
      }
    }
    if (mode === WRITE || mode === BOTH || mode === DELETE) {
      const cell = cellIn(globals.cells, key);
      const late = () => {
        const own = native.getOwnPropertyDescriptor(globalThis, key);
        return own ? (hasOwn(own, "value") ? textOf(own.value) : "") : cell.value === UNKNOWN ? "" : textOf(cell.value);
      };
      if (fresh(cell, true)) enter(location, true, late, shown(key), site);
      cell.value = value;
    }
  };
  const inWindow = (record, object, key, mode, site) => global(key, mode, site);

  const records = new SafeWeakMap();
  const ways = []; // [prototype, access] of objects that are watched in their own way
  jostle.watchedLike = (prototype, way) => { if (prototype) ways[ways.length] = [prototype, way]; };
  const wayOf = (object) => {
    if (object === globalThis) return inWindow;
    if (typeof object === "function" || proxies.has(object)) return property;
    if (isArray(object)) return inArray;
    try {
      for (let i = 0; i < ways.length; i++) if (isPrototypeOf(ways[i][0], object)) return ways[i][1];
      for (let i = 0; i < collections.length; i++) if (isPrototypeOf(collections[i].prototype, object)) return inCollection(collections[i]);
    } catch { /* of another origin */ }
    return isNode(object) ? onPlatform : property;
  };
  const recordOf = (object) => {
    let record = records.get(object);
    if (!record) records.set(object, (record = { id: numberOf(object), name: "", cells: new SafeMap(), touch: wayOf(object) }));
    return record;
  };
  // Whether a promise is settled (see promises.js).
  jostle.awaited = (promise, site) => {
    const record = recordOf(promise);
    if (fresh(cellIn(record.cells, "[[state]]"), false)) enter(`object:${record.id}.[[state]]`, false, "", record.name || "a promise", site);
  };
  jostle.settled = (promise) => {
    const record = recordOf(promise);
    if (fresh(cellIn(record.cells, "[[state]]"), true)) enter(`object:${record.id}.[[state]]`, true, "settled", record.name || "a promise", "");
  };
  jostle.property = property;
  jostle.onPlatform = onPlatform;

  jostle.sink = {
    object(object, key, mode, site) {
      const type = typeof key;
      if (type === "object" || type === "function") return; // the page's own code makes a name of it
      pending(site);
      const record = recordOf(object);
      record.touch(record, object, key, mode, site);
    },
    variable(scope, name, mode, site, value = UNKNOWN) {
      pending(site);
      if (scope === null) return global(name, mode, site, value);
      const record = recordOf(scope);
      const cell = cellIn(record.cells, name);
      if (mode !== WRITE && fresh(cell, false)) {
        enter(`closure:${record.id}.${name}`, false, value === UNKNOWN ? "" : textOf(value), name, site);
        christen(value, name);
      }
      if (mode === WRITE || mode === BOTH) {
        if (fresh(cell, true)) enter(`closure:${record.id}.${name}`, true, () => (cell.value === UNKNOWN ? "" : textOf(cell.value)), name, site);
        cell.value = value;
      }
    },
    code: (text) => text,
  };

  const report = jostle.unseen(jostle.report);
  jostle.report = () => {
    pending("");
    const told = report();
    const accesses = [];
    for (let i = 0; i < log.length; i++) {
      const { location, write, value, name, source } = log[i];
      let text = "";
      jostle.unwatched++;
      try { text = typeof value === "function" ? value() : value; } catch { /* the object is beyond reach */ }
      jostle.unwatched--;
      accesses[i] = [location, write, text, name, source];
    }
    if (missed) told.limits[told.limits.length] = `one event read and wrote more than ${MOST} locations; the rest is not compared with other events`;
    log = [];
    missed = false;
    named.clear();
    epoch++;
    return { ...told, accesses, above: identities.depth };
  };
}
