// What of the page's state rules wait for: whether it is true, and when to look again.
(repair) => {
  const predicates = repair.policy.rules.map(({ until }) => until).filter((until) => until && !/^(never|parsed|arrived)$/.test(until.is));
  const types = new Set(predicates.map(({ is, type = "click" }) => (is === "listening" ? type : "")));
  types.delete("");
  const listening = new WeakMap();
  const one = (selector) => {
    try { return document.querySelector(selector); } catch { return null; }
  };
  const heard = (target, type) => !!target && (listening.get(target)?.has(type) || typeof target[`on${type}`] === "function");

  repair.holds = ({ is, name, selector, type = "click", element }) => {
    switch (is) {
      case "function": {
        let at = globalThis;
        for (const part of name.split(".")) if ((at = at?.[part]) === undefined || at === null) return false;
        return typeof at === "function";
      }
      case "present": return one(selector) !== null;
      case "absent": return one(selector) === null;
      case "defined": return !!customElements.get(element);
      case "listening": return heard(selector === "window" ? globalThis : selector === "document" ? document : one(selector), type);
    }
    return false;
  };

  // A function that appears is announced by nobody. Scripts that load are a good moment to look, too.
  repair.polls = predicates.some(({ is }) => is === "function");
  const look = () => repair.drain();
  const dom = predicates.some(({ is }) => is === "present" || is === "absent");
  const observer = dom && new MutationObserver(look);
  let observing = false;
  repair.observe = (wanted) => {
    if (!observer || wanted === observing) return;
    observing = wanted;
    if (wanted) observer.observe(document, { subtree: true, childList: true, attributes: true });
    else observer.disconnect();
  };
  repair.undoing(() => repair.observe(false));
  for (const { is, element } of predicates) if (is === "defined") customElements.whenDefined(element).then(look, () => {});
  if (!types.size) return;
  const note = (target, type) => {
    if (!listening.has(target)) listening.set(target, new Set());
    listening.get(target).add(type);
    repair.nextTask().then(look);
  };
  repair.wrap(EventTarget.prototype, "addEventListener", (original) => ({
    addEventListener(type, listener) {
      if (listener && types.has(type)) note(this ?? globalThis, type);
      return repair.apply(original, this, arguments);
    },
  }).addEventListener);
  for (const type of types) {
    for (const owner of [HTMLElement.prototype, Document.prototype, globalThis]) {
      repair.wrapSetter(owner, `on${type}`, ({ set }) => ({
        set(value) {
          repair.apply(set, this ?? globalThis, [value]);
          if (typeof value === "function") note(this ?? globalThis, type);
        },
      }));
    }
  }
}
