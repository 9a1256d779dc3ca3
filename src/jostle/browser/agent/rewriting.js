// Code that the page makes itself: rewritten before it runs. The driver is asked in the middle of the page's work, by way of a
// pause of the debugger: that needs no permission of any policy of the page's, and nothing goes over the network.
(jostle) => {
  const { dom, native } = jostle;
  const uncurry = Function.prototype.bind.bind(Function.prototype.call);
  const { getPrototypeOf, setPrototypeOf } = Object;
  const indirectEval = globalThis.eval; // oxlint-disable-line no-eval -- the page calls it
  const SafeWeakMap = dom.safe(WeakMap);
  const includes = uncurry(String.prototype.includes), indexOf = uncurry(String.prototype.indexOf);
  const known = { __proto__: null }; // by kind: text -> what the driver made of it
  const made = new dom.SafeMap(); // what the driver made -> the text it was made of
  let answer = null;
  jostle.answer = (text) => { answer = text; };
  const ask = (kind, text) => {
    const answers = (known[kind] ??= new dom.SafeMap());
    let result = answers.get(text);
    if (result !== undefined) return result;
    answer = null;
    jostle.tell("code", { kind, text });
    debugger; // oxlint-disable-line no-debugger -- the driver answers in this pause
    result = answer;
    if (result === null) {
      jostle.limit("code that the page made itself ran as it is: the driver could not be asked");
      return text;
    }
    answers.set(text, result);
    return result;
  };
  const code = (text, kind) => {
    if (typeof text !== "string" || made.has(text)) return text; // a TrustedScript was made from rewritten text
    const result = ask(kind, text);
    if (result !== text) made.set(result, text);
    return result;
  };

  const sink = (jostle.sink ??= { object() {}, variable() {} });
  sink.code = code;
  const original = jostle.makeProbes(sink); // installs `$jostle`
  // What the page reads of itself: as it was written.
  const NAMED = "\n//# sourceURL=jostle:code/";
  const plain = (text) => {
    if (typeof text !== "string" || !includes(text, "$jostle")) return text;
    const name = indexOf(text, NAMED);
    return made.get(text) ?? original(name < 0 ? text : dom.slice(text, 0, name));
  };
  jostle.plain = plain;
  const ENTITIES = { __proto__: null, "&quot;": '"', "&amp;": "&", "&lt;": "<", "&gt;": ">", "&nbsp;": "\u00a0" };
  const decode = (text) => dom.replace(text, /&(quot|amp|lt|gt|nbsp);/g, (entity) => ENTITIES[entity]);
  const encode = (text) => dom.replace(text, /[&"\u00a0]/g, (c) => (c === "&" ? "&amp;" : c === '"' ? "&quot;" : "&nbsp;"));
  const plainMarkup = (html) => {
    if (typeof html !== "string" || !includes(html, "$jostle")) return html;
    return original(dom.replace(dom.replace(html, /\n\/\/# sourceURL=jostle:code\/[0-9a-f]+/g, ""), /(\s[a-z-]+=")([^"]*\$jostle[^"]*)"/g, (all, head, value) => `${head}${encode(plain(decode(value)))}"`));
  };

  // The constructors of functions: made as ever, so that whatever is wrong with the arguments is the browser's to say.
  const functionText = uncurry(native.toString);
  const remake = (compiled) => {
    const text = `(${functionText(compiled)})`;
    const rewritten = code(text, "function");
    if (rewritten === text) return compiled;
    let again;
    try { again = indirectEval(rewritten); } catch { return compiled; }
    if (getPrototypeOf(again) !== getPrototypeOf(compiled)) setPrototypeOf(again, getPrototypeOf(compiled));
    return jostle.disguise(again, compiled);
  };
  for (const { constructor: Original } of [Function.prototype, ...[async () => {}, function* () {}, async function* () {}].map(getPrototypeOf)]) {
    const proxy = jostle.disguise(new Proxy(Original, {
      apply: (target, self, args) => remake(native.apply(target, self, args)),
      construct: (target, args, newTarget) => remake(native.construct(target, args, newTarget === proxy ? target : newTarget)),
    }), Original);
    const own = native.getOwnPropertyDescriptor(Original.prototype, "constructor");
    native.defineProperty(Original.prototype, "constructor", { ...own, value: proxy });
    if (globalThis.Function === Original) native.defineProperty(globalThis, "Function", { ...native.getOwnPropertyDescriptor(globalThis, "Function"), value: proxy });
  }

  // Texts for timers.
  const Trusted = globalThis.TrustedScript ?? Function;
  for (const name of ["setTimeout", "setInterval"]) {
    jostle.wrap(globalThis, name, (original) => ({
      [name](callback, ...rest) {
        const runs = typeof callback === "function" || callback instanceof Trusted || !arguments.length;
        return native.apply(original, this, runs ? arguments : [code(`${callback}`, "timer"), ...rest]);
      },
    })[name]);
  }
  // Where texts must be trusted, the page's own policies make them so.
  jostle.wrap(globalThis.TrustedTypePolicyFactory?.prototype, "createPolicy", (original) => ({
    createPolicy(name, rules) {
      const create = rules?.createScript;
      if (typeof create !== "function") return native.apply(original, this, arguments);
      const createScript = (...args) => code(native.apply(create, rules, args), "trusted");
      return native.apply(original, this, [name, { ...rules, createScript }]);
    },
  }).createPolicy);

  // Scripts within the page that a script inserts.
  const textOf = dom.take(Node.prototype, "textContent");
  const setText = uncurry(native.getOwnPropertyDescriptor(HTMLScriptElement.prototype, "text").set);
  const written = new SafeWeakMap(); // script -> {original, rewritten}
  const JAVASCRIPT = /^((text|application)\/(x-)?(java|ecma)script|)$/i;
  const prepare = (script) => {
    if (dom.tag(script) !== "script" || dom.has(script, "src") || written.has(script)) return;
    const type = dom.trim(dom.attribute(script, "type") ?? "");
    const kind = dom.lower(type) === "module" ? "module" : dom.test(JAVASCRIPT, type) ? "script" : "";
    const original = kind && textOf(script);
    if (!original) return;
    const rewritten = code(original, kind);
    if (rewritten === original) return;
    written.set(script, { original, rewritten });
    setText(script, rewritten);
  };
  const isConnected = dom.take(Node.prototype, "isConnected");
  const inserted = (args) => {
    for (let i = 0; i < args.length; i++) {
      let kind = 0;
      try { kind = dom.nodeType(args[i]); } catch { continue; }
      if (kind === 1 && dom.tag(args[i]) === "script") { if (!isConnected(args[i])) prepare(args[i]); }
      else if ((kind === 1 || kind === 11) && !isConnected(args[i])) {
        const scripts = dom.all(args[i], "script");
        for (let n = 0; n < scripts.length; n++) prepare(scripts[n]);
      }
    }
  };
  const P = (name) => globalThis[name]?.prototype;
  const inserting = (owner, names) => {
    for (const name of names) jostle.wrap(owner, name, (original) => ({
      [name]() {
        inserted(arguments);
        return native.apply(original, this, arguments);
      },
    })[name]);
  };
  inserting(Node.prototype, ["appendChild", "insertBefore", "replaceChild"]);
  for (const name of ["Element", "Document", "DocumentFragment", "CharacterData", "DocumentType"]) inserting(P(name), ["append", "prepend", "before", "after", "replaceWith", "replaceChildren", "insertAdjacentElement"]);
  inserting(P("Range"), ["insertNode"]);
  // A script that is in the page already runs when it gets its text.
  for (const [owner, names] of [[Node.prototype, ["textContent"]], [P("HTMLScriptElement"), ["text", "textContent", "innerText"]], [P("Element"), ["innerHTML"]], [P("HTMLElement"), ["innerText"]]]) {
    for (const name of names) jostle.wrapAccessor(owner, name, ({ get, set }) => ({
      get() {
        const result = native.apply(get, this, []);
        const script = written.get(this);
        if (script && script.rewritten === result) return script.original;
        return name === "innerHTML" ? plainMarkup(result) : plain(result);
      },
      set(value) {
        if (dom.nodeType(this) === 1 && dom.tag(this) === "script") written.delete(this);
        native.apply(set, this, [markup(name, value, this)]);
      },
    }));
  }

  // Handlers in markup that a script makes; scripts in it do not run, but for document.write.
  const HANDLER = /<[^>]*\son[a-z]+\s*=|<a[^>]*javascript:/i;
  const html = (text) => (typeof text === "string" && dom.test(HANDLER, text) ? code(text, "html") : text);
  const markup = (name, value, node) => (name === "innerHTML" && typeof value === "string" && !(dom.nodeType(node) === 1 && dom.tag(node) === "script") ? html(value) : value);
  jostle.wrapAccessor(P("Element"), "outerHTML", ({ get, set }) => ({
    get() { return plainMarkup(native.apply(get, this, [])); },
    set(value) { native.apply(set, this, [html(value)]); },
  }));
  jostle.wrapAccessor(P("ShadowRoot"), "innerHTML", ({ get, set }) => ({
    get() { return plainMarkup(native.apply(get, this, [])); },
    set(value) { native.apply(set, this, [html(value)]); },
  }));
  jostle.wrap(P("Element"), "insertAdjacentHTML", (original) => ({
    insertAdjacentHTML(where, text) { return native.apply(original, this, [where, html(text)]); },
  }).insertAdjacentHTML);
  jostle.wrap(P("Range"), "createContextualFragment", (original) => ({
    createContextualFragment(text) { return native.apply(original, this, [html(text)]); },
  }).createContextualFragment);
  for (const name of ["write", "writeln"]) {
    jostle.wrap(P("Document"), name, (original) => ({
      [name](...texts) {
        const rewritten = texts.map((text) => (typeof text === "string" && (dom.test(HANDLER, text) || dom.test(/<script[\s>]/i, text)) ? code(text, "write") : text));
        return native.apply(original, this, rewritten);
      },
    })[name]);
  }
  const isHandler = (name) => typeof name === "string" && dom.test(/^on[a-z]+$/i, name);
  jostle.wrap(P("Element"), "setAttribute", (original) => ({
    setAttribute(name, value) {
      if (isHandler(name) && typeof value === "string") return native.apply(original, this, [name, code(value, "handler")]);
      if (guarded(this, name)) return void integrity.set(this, `${value}`);
      return native.apply(original, this, arguments);
    },
  }).setAttribute);
  jostle.wrap(P("Element"), "getAttribute", (original) => ({
    getAttribute(name) {
      if (guarded(this, name) && integrity.has(this)) return integrity.get(this);
      const result = native.apply(original, this, arguments);
      return isHandler(name) ? plain(result) : result;
    },
  }).getAttribute);

  // A rewritten script does not have the sum that the page knows of the original.
  const integrity = new SafeWeakMap();
  const guarded = (el, name) => typeof name === "string" && dom.lower(name) === "integrity" && dom.nodeType(el) === 1 && (dom.tag(el) === "script" || dom.tag(el) === "link");
  for (const owner of [P("HTMLScriptElement"), P("HTMLLinkElement")]) {
    jostle.wrapAccessor(owner, "integrity", ({ get }) => ({
      get() { return integrity.get(this) ?? native.apply(get, this, []); },
      set(value) { integrity.set(this, `${value}`); },
    }));
  }
}
