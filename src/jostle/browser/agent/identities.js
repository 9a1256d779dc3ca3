// Objects by number, in the order in which they are first seen, and values as short texts. Nothing of the page runs for it:
// no getter, no proxy trap, no toString.
(jostle) => {
  const { dom, native } = jostle;
  const { getPrototypeOf } = Object;
  const MOST_OF_A_VALUE = 80;
  const DEEPEST = 30; // prototypes above an object
  const uncurry = Function.prototype.bind.bind(Function.prototype.call);
  const hasOwn = uncurry(Object.prototype.hasOwnProperty);
  const symbolText = uncurry(Symbol.prototype.toString);
  const SafeWeakMap = dom.safe(WeakMap), SafeWeakSet = dom.safe(WeakSet);
  const { isArray } = Array;

  // A document inside of another that it can reach shares its numbers: they hand objects to each other. The rest of what is
  // known of an object belongs to accesses.js and is here because one look-up is quicker than two.
  const above = () => { try { return parent === self ? null : agentOf(parent).identities; } catch { return null; } };
  const outer = above();
  const registry = outer?.registry ?? { known: new SafeWeakMap(), last: 0, proxies: new SafeWeakSet() };
  const knownOf = (object) => {
    let known = registry.known.get(object);
    if (!known) registry.known.set(object, (known = { number: ++registry.last, cells: null, record: null }));
    return known;
  };
  const numberOf = (object) => knownOf(object).number;

  const { proxies } = registry;
  jostle.wrapConstructor("Proxy", (Target, args, newTarget) => {
    const proxy = native.construct(Target, args, newTarget);
    proxies.add(proxy);
    return proxy;
  });
  jostle.wrap(Proxy, "revocable", (original) => ({
    revocable() {
      const made = native.apply(original, this, arguments);
      proxies.add(made.proxy);
      return made;
    },
  }).revocable);

  // The browser's own prototypes: what is inherited from them is nobody's to write. They are known by their constructors,
  // when they are met: there are a thousand of them, which the browser makes when they are asked for.
  const builtin = new SafeWeakMap();
  for (const made of [[].values(), new Map().values(), new Set().values(), "".matchAll(/x/g), (function* () {})(), (async function* () {})()]) {
    for (let at = getPrototypeOf(made); at && !hasOwn(at, "constructor"); at = getPrototypeOf(at)) builtin.set(at, true);
  }
  const functionText = uncurry(native.toString);
  const isBuiltin = (prototype) => {
    let known = builtin.get(prototype);
    if (known !== undefined) return known;
    const maker = proxies.has(prototype) ? undefined : native.getOwnPropertyDescriptor(prototype, "constructor")?.value;
    known = typeof maker === "function" && dom.test(/\{ \[native code\] \}$/, functionText(jostle.original(maker)));
    builtin.set(prototype, known);
    return known;
  };

  const UNKNOWN = Symbol("unknown"); // behind a getter or a proxy
  // Who holds a property, as {holder, value}: the object itself or one that it inherits from; no holder when nobody does.
  const lookUp = (object, key) => {
    try {
      let at = object;
      for (let depth = 0; at !== null && depth < DEEPEST; depth++) {
        if (proxies.has(at)) return { holder: at, value: UNKNOWN };
        const own = native.getOwnPropertyDescriptor(at, key);
        if (own) return { holder: at, value: hasOwn(own, "value") ? own.value : UNKNOWN };
        at = getPrototypeOf(at);
      }
    } catch { return { holder: object, value: UNKNOWN }; /* of another origin, or not initialised yet */ }
    return { holder: null, value: undefined };
  };

  // To ask something that is no node for its type ends in an exception, which takes long. Most is known by its prototype.
  const mayBeNodes = new SafeWeakMap();
  const isNode = (value) => {
    try {
      const prototype = getPrototypeOf(value);
      if (prototype === null) return false;
      let may = mayBeNodes.get(prototype);
      if (may === undefined) mayBeNodes.set(prototype, (may = lookUp(prototype, "nodeType").holder !== null));
      return may && dom.nodeType(value) > 0;
    } catch { return false; }
  };
  const cut = (text) => (text.length > MOST_OF_A_VALUE ? dom.slice(text, 0, MOST_OF_A_VALUE) : text);
  const textOf = (value) => {
    switch (typeof value) {
      case "string": return cut(native.stringify(cut(value)));
      case "symbol": return value === UNKNOWN ? "" : cut(symbolText(value));
      case "bigint": return cut(`${value}n`);
      case "function": return `function:${numberOf(value)}`;
      case "object": break;
      default: return `${value}`;
    }
    if (value === null) return "null";
    if (proxies.has(value)) return `object:${numberOf(value)}`;
    if (isNode(value)) return `node ${jostle.nodePath(value)}`;
    return `${isArray(value) ? "array" : "object"}:${numberOf(value)}`;
  };

  jostle.identities = { registry, depth: outer ? outer.depth + 1 : 0, knownOf, numberOf, lookUp, textOf, isNode, isArray, hasOwn, proxies, isBuiltin, cut, UNKNOWN, SafeWeakMap, SafeWeakSet };
}
