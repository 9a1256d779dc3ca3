// Storage and cookies, entry by entry.
(jostle) => {
  const { dom, native, access, identities } = jostle;
  const { textOf, hasOwn } = identities;
  const item = dom.take(Storage.prototype, "getItem"), keyAt = dom.take(Storage.prototype, "key"), size = dom.take(Storage.prototype, "length");
  const areas = { localStorage: dom.take(globalThis, "localStorage"), sessionStorage: dom.take(globalThis, "sessionStorage") };
  const areaOf = (storage) => {
    for (const name of ["localStorage", "sessionStorage"]) {
      try { if (areas[name](globalThis) === storage) return name; } catch { /* not available here */ }
    }
    return "";
  };
  const touch = (storage, key, write, site) => {
    const area = areaOf(storage);
    if (area === "" || jostle.unwatched) return;
    const value = () => (key === "*" ? `${size(storage)}` : textOf(item(storage, key)));
    access(`storage:${area}.${key}`, write, value, key === "*" ? `entries of ${area}` : `${key} in ${area}`, site);
  };
  const string = (value) => { try { return `${value}`; } catch { return ""; } };
  const isThere = (storage, key) => item(storage, key) !== null;
  jostle.wrap(Storage.prototype, "getItem", (original) => ({
    getItem(key) {
      if (arguments.length) touch(this, string(key), false);
      return native.apply(original, this, arguments);
    },
  }).getItem);
  for (const name of ["setItem", "removeItem"]) {
    jostle.wrap(Storage.prototype, name, (original) => ({
      [name](key) {
        const entry = string(key), before = areaOf(this) !== "" && isThere(this, entry);
        const result = native.apply(original, this, arguments);
        touch(this, entry, true);
        if (before !== (name === "setItem")) touch(this, "*", true);
        return result;
      },
    })[name]);
  }
  jostle.wrap(Storage.prototype, "clear", (original) => ({
    clear() {
      const keys = [];
      if (areaOf(this) !== "") for (let i = 0; i < size(this); i++) keys[i] = keyAt(this, i);
      const result = native.apply(original, this, arguments);
      for (let i = 0; i < keys.length; i++) touch(this, keys[i], true);
      touch(this, "*", true);
      return result;
    },
  }).clear);
  jostle.wrap(Storage.prototype, "key", (original) => ({
    key() { touch(this, "*", false); return native.apply(original, this, arguments); },
  }).key);
  jostle.wrapAccessor(Storage.prototype, "length", ({ get }) => ({
    get() { touch(this, "*", false); return native.apply(get, this, []); },
  }));
  // By plain properties: `localStorage.cart`.
  jostle.watchedLike(Storage.prototype, (record, storage, key, mode, site) => {
    if (typeof key !== "string" || hasOwn(Storage.prototype, key)) return;
    if (mode !== 2 && mode !== 4) touch(storage, key, false, site);
    if (mode !== 1 && mode !== 5) {
      touch(storage, key, true, site);
      if (isThere(storage, key) !== (mode !== 4)) touch(storage, "*", true, site);
    }
  });

  const cookies = (text) => {
    const found = [];
    const parts = dom.split(text, ";");
    for (let i = 0; i < parts.length; i++) {
      const [, name, value] = /^\s*([^=]*)=?(.*)$/s.exec(parts[i]) ?? [];
      if (name) found[found.length] = [name, value];
    }
    return found;
  };
  const valueOf = (wanted) => () => {
    for (const [name, value] of cookies(dom.cookie())) if (name === wanted) return textOf(value);
    return "null";
  };
  const readAll = (site) => {
    if (jostle.unwatched) return;
    const all = cookies(dom.cookie());
    access("cookie:*", false, `${all.length}`, "the cookies", site);
    for (const [name, value] of all) access(`cookie:${name}`, false, textOf(value), `cookie ${name}`, site);
  };
  const count = () => cookies(dom.cookie()).length;
  const wrote = (name, before) => {
    if (jostle.unwatched) return;
    access(`cookie:${name}`, true, valueOf(name), `cookie ${name}`);
    if (before !== count()) access("cookie:*", true, () => `${count()}`, "the cookies");
  };
  jostle.wrapAccessor(Document.prototype, "cookie", ({ get, set }) => ({
    get() { readAll(); return native.apply(get, this, []); },
    set(value) {
      const before = count();
      native.apply(set, this, [value]);
      const [, name] = /^\s*([^=;]*)/.exec(string(value)) ?? [];
      wrote(dom.trim(name ?? ""), before);
    },
  }));
  for (const name of ["get", "getAll"]) jostle.wrap(globalThis.CookieStore?.prototype, name, (original) => ({
    [name]() { readAll(); return native.apply(original, this, arguments); },
  })[name]);
  for (const name of ["set", "delete"]) jostle.wrap(globalThis.CookieStore?.prototype, name, (original) => ({
    [name](which) {
      const result = native.apply(original, this, arguments);
      const called = typeof which === "string" ? which : identities.lookUp(which ?? {}, "name").value;
      if (typeof called === "string") wrote(called, -1); // it is set a moment later
      return result;
    },
  })[name]);
}
