// What the running event reads and writes: each location once, with the value first read and the value last written.
// Rewritten scripts tell it here (`jostle.sink`); what they cannot see is told by the parts that follow.
//
// With `jostle.sharedOnly`, what an event does to an object or variable is reported only when it matters: when another
// event touches the same and one of them writes it. Until then it is kept with the location. Most never matters.
(jostle) => {
  const { dom, native, identities } = jostle;
  const { knownOf, lookUp, textOf, isNode, isArray, hasOwn, proxies, isBuiltin, cut, UNKNOWN, SafeWeakMap } = identities;
  const { SafeMap, SafeSet } = dom;
  const { Map, Set, WeakMap, WeakSet } = globalThis; // as the page has them
  const MOST = 100000; // accesses of one event between two reports
  const MOST_KEPT = 50000000; // that have not mattered yet
  const MOST_TOLD = 500000; // in one report
  const TOO_MANY = `one event read and wrote more than ${MOST} locations; the rest is not compared with other events`;
  const TOO_MUCH = `events read and wrote more than ${MOST_KEPT} times; the rest is not compared with other events`;
  const MOST_ELEMENTS = 50; // of an array that is read or changed as a whole
  const READ = 1, WRITE = 2, BOTH = 3, DELETE = 4, CALL = 5;
  const isPrototypeOf = Function.prototype.bind.bind(Function.prototype.call)(Object.prototype.isPrototypeOf);

  // Documents that can reach each other have objects in common, and so the log of what is done to them: any of them reports
  // it. `turn`: the running event. `epoch`: from one report of one of them to the next.
  const { registry } = identities;
  registry.log ??= [];
  registry.unread ??= []; // where values are kept that are known when the event is over, and at which index
  registry.keeping ??= 0;
  registry.epoch ??= 1;
  registry.turn ??= -1;
  jostle.onEnter(({ turn }) => { if (turn > registry.turn) registry.turn = turn; });
  let log = []; // of what this document has for itself
  let noted = 0, missed = "";
  const enter = (log, location, write, value, name, source) => {
    if (noted++ >= MOST) return void (missed = TOO_MANY);
    const entry = { turn: registry.turn, location, write, value, name, source };
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
    const made = enter(log, location, write, write || typeof value !== "function" ? value : value(), name, source);
    if (write) known.write = made;
    else known.read = made;
  };

  // Locations that belong to an object or a scope: a cell for each, by which the second access of an event is known at once.
  const fresh = (cell, write) => {
    if (cell.epoch !== registry.epoch) {
      cell.epoch = registry.epoch;
      cell.seen = 0;
    }
    const bit = write ? 2 : 1;
    if (cell.seen & bit) return false;
    cell.seen |= bit;
    return true;
  };
  const cellIn = (cells, key) => {
    let cell = cells.get(key);
    if (!cell) cells.set(key, (cell = { epoch: 0, seen: 0, told: !jostle.sharedOnly, written: false, kept: null, value: undefined }));
    return cell;
  };
  const shown = (key) => (typeof key === "symbol" ? `[${textOf(key)}]` : `${key}`);
  // What people call it: by the variable or property through which it was seen first.
  const christen = (value, kind, record, key) => {
    if ((typeof value !== "object" || value === null) && typeof value !== "function") return;
    const known = recordOf(value);
    if (known.name === "") known.name = cut(kind.name(record, key));
  };
  const within = (record, part) => (record.name !== "" ? cut(`${record.name}${part}`) : record.touch !== inArray && part[0] === "." ? cut(dom.slice(part, 1)) : "");
  // Kinds of locations: what they are called by us and by people.
  const PROPERTY = { location: (record, key) => `object:${record.id}.${shown(key)}`, name: (record, key) => within(record, `.${shown(key)}`) };
  const ELEMENT = { location: (record, index) => `array:${record.id}[${index}]`, name: (record, index) => within(record, `[${index}]`) };
  const LENGTH = { location: (record) => `array:${record.id}.length`, name: (record) => within(record, ".length") };
  const CONTENT = { location: (record) => `object:${record.id}.content`, name: (record) => record.name };
  const STATE = { location: (record) => `object:${record.id}.[[state]]`, name: (record) => record.name || "a promise" };
  const CLOSURE = { location: (record, name) => `closure:${record.id}.${name}`, name: (record, name) => name };
  const GLOBAL = { location: (record, key) => `global:${shown(key)}`, name: (record, key) => shown(key) };

  // `kept` of a cell: turn, write, value and site of one access after the other.
  const note = (cell, kind, record, key, write, value, site) => {
    const told = kind === GLOBAL ? log : registry.log;
    if (!cell.told) {
      const { kept } = cell;
      cell.written ||= write;
      if (kept === null || kept[0] === registry.turn || !cell.written) return keep(cell, write, value, site);
      cell.told = true;
      cell.kept = null;
      registry.keeping -= kept.length / 4;
      const location = kind.location(record, key), name = kind.name(record, key);
      for (let at = 0; at < kept.length; at += 4) {
        if (told.length >= MOST_TOLD) { missed = TOO_MUCH; break; }
        told[told.length] = { turn: kept[at], location, write: kept[at + 1], value: valueOf(kept[at + 2]), name, source: kept[at + 3] };
      }
    }
    enter(told, kind.location(record, key), write, value, kind.name(record, key), site);
  };
  const keep = (cell, write, value, site) => {
    if (noted++ >= MOST) return void (missed = TOO_MANY);
    if (registry.keeping >= MOST_KEPT) return void (missed = TOO_MUCH);
    registry.keeping++;
    const kept = (cell.kept ??= []), at = kept.length;
    kept[at] = registry.turn;
    kept[at + 1] = write;
    kept[at + 2] = at > 0 && kept[at - 2] === value ? kept[at - 2] : value; // one text for all who read the same
    kept[at + 3] = site;
    if (typeof value === "function") {
      const { unread } = registry;
      unread[unread.length] = kept;
      unread[unread.length] = at + 2;
    }
  };
  const valueOf = (value) => {
    if (typeof value !== "function") return value;
    jostle.unwatched++;
    try { return value(); } catch { return ""; /* the object is beyond reach */ } finally { jostle.unwatched--; }
  };

  const noteRead = (cell, kind, record, key, value, site) => {
    if (!fresh(cell, false)) return;
    note(cell, kind, record, key, false, value === UNKNOWN ? "" : textOf(value), site);
    christen(value, kind, record, key);
  };
  const noteWrite = (cell, kind, record, key, value, site) => {
    if (fresh(cell, true)) note(cell, kind, record, key, true, value, site);
  };
  const later = (object, key) => () => { const { value } = lookUp(object, key); return value === UNKNOWN ? "" : textOf(value); };

  // A property of an object: what is inherited is read from the one who has it, too.
  const readProperty = (record, object, key, site) => {
    const cell = cellIn(record.cells, key);
    if (cell.epoch === registry.epoch && cell.seen & 1) return;
    const { holder, value } = lookUp(object, key);
    if (holder !== null && holder !== object && isBuiltin(holder)) return void fresh(cell, false);
    noteRead(cell, PROPERTY, record, key, value, site);
    if (holder !== null && holder !== object) {
      const above = recordOf(holder);
      noteRead(cellIn(above.cells, key), PROPERTY, above, key, value, site);
    }
  };
  const writeProperty = (record, object, key, site) => noteWrite(cellIn(record.cells, key), PROPERTY, record, key, later(object, key), site);
  const property = (record, object, key, mode, site) => {
    if (typeof key !== "string" && typeof key !== "symbol") key = `${key}`; // `o[1]` is `o["1"]`
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
  const readLength = (record, array, site) => noteRead(cellIn(record.cells, "length"), LENGTH, record, "length", array.length, site);
  const writeLength = (record, array, site) => noteWrite(cellIn(record.cells, "length"), LENGTH, record, "length", () => `${array.length}`, site);
  const readElement = (record, array, index, site) => {
    const cell = cellIn(record.cells, index);
    if (cell.epoch === registry.epoch && cell.seen & 1) return;
    const own = native.getOwnPropertyDescriptor(array, index);
    noteRead(cell, ELEMENT, record, index, own ? (hasOwn(own, "value") ? own.value : UNKNOWN) : undefined, site);
  };
  const writeElement = (record, array, index, site) => noteWrite(cellIn(record.cells, index), ELEMENT, record, index, later(array, index), site);
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
    const content = () => { try { return contentOf(collection, object); } catch { return ""; } };
    const cell = cellIn(record.cells, "[[content]]");
    const write = ALTERING[key] === 1;
    if (fresh(cell, write)) note(cell, CONTENT, record, key, write, write ? content : content(), site);
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
  // Built in, but nothing more than a text that a page may keep there: scripts that declare `var status` use these.
  const TEXTS = { __proto__: null, name: 1, status: 1 };
  for (const key in TEXTS) natives.delete(key);
  const held = (own, key) => (hasOwn(own, "value") ? own.value : TEXTS[key] === 1 && own.get ? native.apply(own.get, globalThis, []) : UNKNOWN);
  const globals = { id: 0, name: "", cells: new SafeMap() };
  const global = (key, mode, site, value = UNKNOWN) => {
    if (typeof key !== "string" && typeof key !== "symbol") key = `${key}`;
    if (natives.has(key) && !replaced.has(key)) {
      // The browser's own, until the page puts something in its place; behind a setter it is the browser's to say what that is.
      if (mode === READ || mode === CALL || lookUp(globalThis, key).value === UNKNOWN) return;
      replaced.add(key);
    }
    const cell = cellIn(globals.cells, key);
    if (mode !== WRITE && mode !== DELETE && !(cell.epoch === registry.epoch && cell.seen & 1)) {
      const own = native.getOwnPropertyDescriptor(globalThis, key);
      noteRead(cell, GLOBAL, globals, key, own ? held(own, key) : value, site);
      if (!own) jostle.namedElement?.(key, site);
    }
    if (mode === WRITE || mode === BOTH || mode === DELETE) {
      const late = () => {
        const own = native.getOwnPropertyDescriptor(globalThis, key);
        const now = own ? held(own, key) : cell.value;
        return now === UNKNOWN ? "" : textOf(now);
      };
      noteWrite(cell, GLOBAL, globals, key, late, site);
      cell.value = value;
    }
  };
  const inWindow = (record, object, key, mode, site) => global(key, mode, site);

  const isOutermost = identities.depth === 0;
  const records = new SafeWeakMap(); // of documents inside others: they may go earlier than the objects
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
    const known = knownOf(object);
    let record = isOutermost ? known.record : records.get(object);
    if (!record) {
      record = { id: known.number, name: "", cells: (known.cells ??= new SafeMap()), touch: wayOf(object) };
      if (isOutermost) known.record = record;
      else records.set(object, record);
    }
    return record;
  };
  // Whether a promise is settled (see promises.js).
  jostle.awaited = (promise, site) => {
    const record = recordOf(promise), cell = cellIn(record.cells, "[[state]]");
    if (fresh(cell, false)) note(cell, STATE, record, "", false, "", site);
  };
  jostle.settled = (promise) => {
    const record = recordOf(promise), cell = cellIn(record.cells, "[[state]]");
    if (fresh(cell, true)) note(cell, STATE, record, "", true, "settled", "");
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
      if (mode !== WRITE) noteRead(cell, CLOSURE, record, name, value, site);
      if (mode === WRITE || mode === BOTH) {
        noteWrite(cell, CLOSURE, record, name, () => (cell.value === UNKNOWN ? "" : textOf(cell.value)), site);
        cell.value = value;
      }
    },
    code: (text) => text,
  };

  const report = jostle.unseen(jostle.report);
  jostle.report = (parting) => {
    pending("");
    const told = report();
    const { unread } = registry;
    for (let i = 0; i < unread.length; i += 2) unread[i][unread[i + 1]] = valueOf(unread[i][unread[i + 1]]);
    registry.unread = [];
    const accesses = [];
    const tell = ({ turn, location, write, value, name, source }) => {
      accesses[accesses.length] = [turn, location, write, valueOf(value), name, source];
    };
    for (let i = 0; i < log.length; i++) tell(log[i]);
    log = [];
    // Nobody may hear the last words of a document inside another, which knows the same.
    if (!parting || isOutermost) {
      for (let i = 0; i < registry.log.length; i++) tell(registry.log[i]);
      registry.log = [];
    }
    if (missed) told.limits[told.limits.length] = missed;
    noted = 0;
    missed = "";
    named.clear();
    registry.epoch++;
    return { ...told, accesses, above: identities.depth };
  };
}
