// What scripts rewritten with the memory probes call. Each function gives back what the program would have had
// without it, and tells the sink:
//   sink.object(object, key, mode, site, value?)      before the access; `value` where one is about to be written
//   sink.variable(scope, name, mode, site, value?)    scope: null for globals
//   sink.awaited?.(value, site)                       an object that is about to be waited for
//   sink.code(text, kind)                             what to evaluate instead of a text
// Modes: 1 read, 2 write, 3 both, 4 delete, 5 read to call. `arguments` and `this` of the program are never touched.
(sink) => {
  const { freeze, defineProperty } = Object;
  const { apply } = Reflect;
  const { includes } = String.prototype;
  const replace = RegExp.prototype[Symbol.replace];
  const captureStackTrace = Error.captureStackTrace;

  const shared = (object) => (typeof object === "object" ? object !== null : typeof object === "function");
  const tell = (object, key, mode, site, value) => {
    // Making a name of an object as key would run code of the page.
    if (shared(object) && !shared(key)) sink.object(object, key, mode, site, value);
  };

  // Objects between `o` and the `p`, `pk` or `pv` that belongs to it. What an exception left behind is dropped when
  // an older one is asked for.
  let waiting = [];
  const hold = (object, key, site) => {
    if (waiting.length > 10000) waiting = [];
    waiting.push({ object, key, site });
  };
  const held = (site, keep) => {
    for (let n = waiting.length - 1; n >= 0; n--) {
      if (waiting[n].site === site) {
        const found = waiting[n];
        waiting.length = keep ? n + 1 : n;
        return found;
      }
    }
    return undefined;
  };

  // The program's own error, from where the program stood.
  const fail = (object, key, mode, from) => {
    try {
      if (mode === 4) delete object[key];
      else object[key];
    } catch (error) {
      captureStackTrace?.(error, from);
      throw error;
    }
  };

  // An optional chain was ended by a `?.`; the next link of it asks at once.
  let ended = false;
  const over = (flags) => {
    if (flags & 2 && ended) {
      ended = (flags & 4) !== 0;
      return true;
    }
    if (flags & 1) {
      ended = (flags & 4) !== 0;
      return true;
    }
    return false;
  };
  const nothing = freeze({ __proto__: null });

  // A handler attribute sees its element, the form and the document before the globals.
  class Chain {
    constructor(element) {
      this.objects = [];
      if (typeof Node === "function" && element instanceof Node) {
        this.objects.push(element);
        if (element.form) this.objects.push(element.form);
        this.objects.push(element.ownerDocument);
      }
    }
  }
  const variable = (scope, name, mode, site, value) => {
    if (scope instanceof Chain) {
      for (const object of scope.objects) {
        if (name in object) {
          sink.object(object, name, mode, site, value);
          return;
        }
      }
      scope = null;
    }
    if (scope !== undefined) sink.variable(scope, name, mode, site, value);
  };

  const probes = {
    // object.key
    r(object, key, site) {
      if (typeof object === "object" ? object !== null : typeof object === "function") sink.object(object, key, 1, site);
      return object;
    },
    c(object, key, site) {
      if (typeof object === "object" ? object !== null : typeof object === "function") sink.object(object, key, 5, site);
      return object;
    },
    w(object, key, site) {
      if (typeof object === "object" ? object !== null : typeof object === "function") sink.object(object, key, 2, site);
      return object;
    },
    u(object, key, site) {
      if (typeof object === "object" ? object !== null : typeof object === "function") sink.object(object, key, 3, site);
      return object;
    },
    d(object, key, site) {
      if (typeof object === "object" ? object !== null : typeof object === "function") sink.object(object, key, 4, site);
      return object;
    },
    // object[k(object, key)]
    k(object, key, mode, site) {
      tell(object, key, mode, site);
      return key;
    },
    // object.key = v(object, key, value)
    v(object, key, value, site) {
      tell(object, key, 2, site, value);
      return value;
    },
    // o(object)[p(key)], o(object, key).key = pv(value), o(object)[pk(key)] = pv(value)
    o(object, key, mode, site) {
      if (mode) tell(object, key, mode, site);
      hold(object, key, site);
      return object;
    },
    p(key, mode, site) {
      const found = held(site, false);
      if (found !== undefined) {
        if (found.object === nothing) fail(found.key, key, mode, probes.p);
        tell(found.object, key, mode, site);
      }
      return key;
    },
    pk(key, mode, site) {
      const found = held(site, true);
      if (found !== undefined) {
        found.key = key;
        if (mode) tell(found.object, key, mode, site);
      }
      return key;
    },
    pv(value, site) {
      const found = held(site, false);
      if (found !== undefined) tell(found.object, found.key, 2, site, value);
      return value;
    },
    // q(object)?.key and oq(object)?.[p(key)]. Flags: 1 the program wrote `?.` here, 2 it wrote it earlier in the chain,
    // 4 a link follows that is probed.
    q(object, key, mode, flags, site) {
      if (object === undefined || object === null) {
        if (!over(flags)) fail(object, key, mode, probes.q);
        return undefined;
      }
      tell(object, key, mode, site);
      return object;
    },
    oq(object, flags, site) {
      if (object === undefined || object === null) {
        if (over(flags)) return undefined;
        // The key is computed before anything is thrown.
        hold(nothing, object, site);
        return nothing;
      }
      hold(object, undefined, site);
      return object;
    },
    // Variables: one that was read (l), one that is about to be assigned (a, t), an access (n) before an expression (i)
    l(value, scope, name, site) {
      if (scope !== undefined) sink.variable(scope, name, 1, site, value);
      return value;
    },
    a(value, scope, name, site) {
      variable(scope, name, 2, site, value);
      return value;
    },
    t(values, scope, name, site) {
      variable(scope, name, 2, site);
      return values;
    },
    b(values, scope, name, site) {
      variable(scope, name, 2, site, values[name]);
      return values;
    },
    n(scope, name, mode, site) {
      variable(scope, name, mode, site);
    },
    i(told, value) {
      return value;
    },
    // One activation of a scope; the objects that a handler attribute sees
    s() {
      return { __proto__: null };
    },
    h(element) {
      return new Chain(element);
    },
    // await y(value)
    y(value, site) {
      if (typeof value === "object" && value !== null) sink.awaited?.(value, site);
      return value;
    },
    code(text, kind) {
      return typeof text === "string" ? sink.code(text, kind) : text;
    },
  };
  for (const name in probes) defineProperty(probes, name, { writable: false, configurable: false });
  defineProperty(globalThis, "$jostle", { value: freeze(probes) });

  // A function's text is the text it was written as: libraries read parameter names and bodies.
  const site = String.raw`"[0-9A-Za-z]{7}:\d+:\d+"`;
  const text = String.raw`"(?:[^"\\]|\\.)*"`;
  const key = String.raw`(?:${text}|\d+)`;
  const word = String.raw`[\p{ID_Start}$_\\][\p{ID_Continue}$\u200c\u200d\\{}]*`;
  const scope = String.raw`(?:null|\$jostle\w+)`;
  const told = String.raw`${scope},${text}`;
  const inserted = new RegExp(
    [
      String.raw`/\*\$j\*/:\$jostle\.l\(${word},${told},${site}\)`,
      String.raw`/\*\$j\*/:\$jostle\.i\(\$jostle\.n\(${told},1,${site}\),${word},\$jostle\)`,
      String.raw`(?:/\*\*/)?\$jostle\.i\(\$jostle\.n\(${told},\d,${site}\),`,
      String.raw`\$jostle\.n\(${told},2,${site}\);`,
      String.raw`,\$jostle\)`,
      String.raw`(?:/\*\*/)?\$jostle\.k\(${word},`,
      String.raw`(?:/\*\*/)?\$jostle\.v\(${word},(?:${key}|${word}),`,
      String.raw`(?:/\*\*/)?\$jostle\.b\(\{${word}:`,
      String.raw`\},${told},${site}\)\.${word}`,
      String.raw`(?:/\*\*/)?\$jostle\.(?:[rcwudolaty]|oq?|p[kv]?|q|code)\(`,
      String.raw`,(?:${key},)?(?:\d,){0,2}${site}\)`,
      String.raw`,${told},${site}\)`,
      String.raw`,"(?:eval|indirect)",\$jostle\)`,
      String.raw`(?:(?:const|var) \$jostle\w+=\$jostle\.(?:s\(\)|h\(this\));)`,
      String.raw`\{/\*\$j\*/(?:const \$jostle\d+=\$jostle\.s\(\);return )?`,
      String.raw`[({]/\*\$j\*/`,
      String.raw`/\*\$j\*/(?:[)};]|\?\.(?=\[)|\?)`,
    ].join("|"),
    "gu",
  );
  const original = (text) => (apply(includes, text, ["$jostle"]) ? apply(replace, inserted, [text, ""]) : text);
  const native = Function.prototype.toString;
  const own = {
    toString() {
      if (this === own) return "function toString() { [native code] }";
      return original(apply(native, this, []));
    },
  }.toString;
  defineProperty(Function.prototype, "toString", { value: own });
  return original;
};
