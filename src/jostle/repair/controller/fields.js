// What the user has entered stays: a script that began before that does not overwrite it, and does not take the focus away.
(repair) => {
  const { policy } = repair;
  const selectors = policy.protect ?? [];
  if (!selectors.length && !repair.about("user")) return;
  const edited = new WeakMap(); // field -> the number of the event of the last edit
  const waiting = new WeakMap(); // field -> the values of entries that the page has not heard of

  const own = (prototype, name) => Object.getOwnPropertyDescriptor(prototype, name);
  const values = new Map([HTMLInputElement, HTMLTextAreaElement, HTMLSelectElement].map(({ prototype }) => [prototype, own(prototype, "value")]));
  const valueOf = (field) => values.get(Object.getPrototypeOf(field));
  const isProtected = (field) => selectors.some((selector) => repair.fits(field, selector));

  repair.entered = (field, gesture) => {
    if (!valueOf(field)) return;
    if (isProtected(field)) edited.set(field, gesture.event.id);
    if (gesture.action === "postpone") waiting.set(field, { value: valueOf(field).get.call(field), gesture });
  };
  // Before the page hears of an entry: the field has what the user has entered.
  repair.restore = (field) => {
    const entry = waiting.get(field);
    if (!entry) return;
    const { get, set } = valueOf(field);
    if (get.call(field) !== entry.value) set.call(field, entry.value);
    if (entry.gesture.released) waiting.delete(field);
  };

  // Does what runs now know nothing of what the user has entered?
  const stale = (field) => {
    if (repair.releasing) return false;
    const entry = waiting.get(field);
    if (entry && !entry.gesture.released) return true;
    if (!edited.has(field)) return false;
    // What follows from something the user has done since, or from the entry itself, is meant.
    // A script that runs because it has loaded follows from nothing that the user does, however shortly before.
    const current = document.currentScript ? null : repair.current;
    const began = current?.kind === "user" ? current : current?.root;
    return !began || began.id < edited.get(field);
  };
  const keep = (prototype, name) => repair.wrapSetter(prototype, name, ({ set }) => ({
    set(value) {
      if (stale(this)) repair.kept(this);
      else repair.apply(set, this, [value]);
    },
  }));
  for (const prototype of values.keys()) keep(prototype, "value");
  if (!selectors.length) return;
  keep(HTMLInputElement.prototype, "checked");
  keep(HTMLSelectElement.prototype, "selectedIndex");
  repair.wrap(HTMLElement.prototype, "focus", (original) => ({
    focus() {
      const { activeElement } = document;
      if (activeElement && activeElement !== this && isProtected(activeElement) && stale(activeElement)) return;
      repair.apply(original, this, arguments);
    },
  }).focus);
}
