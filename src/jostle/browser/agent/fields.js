// What stands in fields: scripts read and write it, and so does the user.
(jostle) => {
  const { dom, native, access, nodePath, identities } = jostle;
  const { textOf } = identities;
  const contentOf = (field) => {
    const name = dom.tag(field);
    if (name === "input" && (dom.type(field) === "checkbox" || dom.type(field) === "radio")) return `${dom.checked(field)}`;
    return textOf(dom.value[name]?.(field) ?? dom.selected(field));
  };
  const fieldOf = (el) => (dom.tag(el) === "option" ? dom.closest(el, "select") ?? el : el);
  const touch = (el, write, site) => {
    if (jostle.unwatched) return;
    const field = fieldOf(el);
    const path = nodePath(field);
    access(`form:${path}`, write, () => contentOf(field), `value of ${path}`, site);
    // Of a group of radio buttons only one is on.
    if (!write || dom.tag(field) !== "input" || dom.type(field) !== "radio" || !dom.attribute(field, "name")) return;
    const others = dom.all(document, "input[type=radio]");
    for (let i = 0; i < others.length; i++) {
      const other = others[i];
      if (other === field || dom.attribute(other, "name") !== dom.attribute(field, "name") || dom.form(other) !== dom.form(field)) continue;
      access(`form:${nodePath(other)}`, true, () => contentOf(other), `value of ${nodePath(other)}`, site);
    }
  };
  for (const [owner, names] of [
    [HTMLInputElement, ["value", "checked", "valueAsNumber", "valueAsDate", "files", "indeterminate"]],
    [HTMLTextAreaElement, ["value", "textLength"]],
    [HTMLSelectElement, ["value", "selectedIndex", "selectedOptions"]],
    [HTMLOptionElement, ["selected"]],
  ]) {
    for (const name of names) jostle.wrapAccessor(owner.prototype, name, ({ get, set }) => ({
      get() {
        const result = native.apply(get, this, []);
        touch(this, false);
        return result;
      },
      ...(set ? { set(value) { native.apply(set, this, [value]); touch(this, true); } } : {}),
    }));
  }
  for (const { prototype } of [HTMLInputElement, HTMLTextAreaElement]) {
    jostle.wrap(prototype, "setRangeText", (original) => ({
      setRangeText() {
        touch(this, false);
        const result = native.apply(original, this, arguments);
        touch(this, true);
        return result;
      },
    }).setRangeText);
  }
  const FIELDS = "input, select, textarea";
  const each = (form, write, site) => { const all = dom.all(form, FIELDS); for (let i = 0; i < all.length; i++) touch(all[i], write, site); };
  jostle.wrap(HTMLFormElement.prototype, "reset", (original) => ({
    reset() {
      const result = native.apply(original, this, arguments);
      each(this, true);
      return result;
    },
  }).reset);
  jostle.wrapConstructor("FormData", (Target, args, newTarget) => {
    const made = native.construct(Target, args, newTarget);
    if (args[0]) each(args[0], false);
    return made;
  });

  // The user.
  const listen = (type, run) => native.apply(native.addEventListener, globalThis, [type, run, { capture: true, passive: true }]);
  const target = (event) => event.composedPath()[0];
  const byUser = (event) => {
    const el = target(event);
    if (event.isTrusted && identities.isNode(el) && dom.nodeType(el) === 1 && (dom.value[dom.tag(el)] || dom.editable(el))) {
      if (dom.value[dom.tag(el)]) touch(el, true, "");
    }
  };
  for (const type of ["input", "change"]) listen(type, byUser);
  listen("click", (event) => { // a box has changed before anybody hears of it
    const el = target(event);
    if (event.isTrusted && identities.isNode(el) && dom.tag(el) === "input" && /^(checkbox|radio)$/.test(dom.type(el))) touch(el, true, "");
  });
  listen("reset", (event) => { if (event.isTrusted && !event.defaultPrevented) each(target(event), true, ""); });
  listen("submit", (event) => { if (event.isTrusted) each(target(event), false, ""); });
}
