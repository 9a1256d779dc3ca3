// The document as canonical text: equal pages give equal texts and digests, whatever the order of attributes or the splitting of text.
(jostle) => {
  const { dom } = jostle;
  const { attribute, tag } = dom;
  const encode = dom.take(TextEncoder.prototype, "encode").bind(null, new TextEncoder());
  const bytesLength = dom.take(Object.getPrototypeOf(Uint8Array.prototype), "length");
  const storages = {
    local: dom.take(globalThis, "localStorage"),
    session: dom.take(globalThis, "sessionStorage"),
  };
  const storageKey = dom.take(Storage.prototype, "key"), storageItem = dom.take(Storage.prototype, "getItem"), storageLength = dom.take(Storage.prototype, "length");
  const { imul } = Math;
  const href = dom.take(location, "href");

  const escape = (text) => (dom.test(/[&<"]/, text) ? dom.replace(text, /[&<"]/g, (c) => (c === "&" ? "&amp;" : c === "<" ? "&lt;" : "&quot;")) : text);
  const collapse = (text) => (dom.test(/[\t\n\f\r]|  /, text) ? dom.replace(text, /\s+/g, " ") : text);

  const attributesOf = (el, name) => {
    const names = dom.attributeNames(el);
    if (names.length > 1) dom.sort(names);
    let text = "";
    for (let i = 0; i < names.length; i++) {
      const key = names[i];
      if (name === "script" && key !== "src") continue;
      let value = attribute(el, key);
      if (key === "nonce") value = "*";
      else if (key === "class" && dom.test(/\s/, value)) value = dom.join(dom.sort(dom.split(dom.trim(value), /\s+/)), " ");
      // Copied from computed styles, its own properties come in an order that is another one every time.
      else if (key === "style" && dom.test(/;./, value)) value = dom.join(dom.sort(dom.split(dom.replace(dom.trim(value), /\s*;$/, ""), /\s*;\s*/)), "; ");
      if (jostle.plain) value = jostle.plain(value);
      text += value === "" ? ` ${key}` : ` ${key}="${escape(value)}"`;
    }
    return text;
  };
  // What the user or a script has put into a field shows in properties only.
  const stateOf = (el, name) => {
    if (name === "input") {
      const type = dom.type(el);
      if (type === "checkbox" || type === "radio") return `${dom.checked(el) ? " .checked" : ""}${dom.indeterminate(el) ? " .indeterminate" : ""}`;
      if (type === "file") return ` .files="${escape(fileNames(el))}"`;
      return ` .value="${escape(dom.value.input(el))}"`;
    }
    if (name === "textarea") return ` .value="${escape(dom.value.textarea(el))}"`;
    if (name === "option") return dom.selected(el) ? " .selected" : "";
    if (name === "dialog") return dom.matches(el, ":modal") ? " .modal" : "";
    return "";
  };
  const fileNames = (el) => {
    const files = dom.files(el);
    let names = "";
    for (let i = 0; files && i < files.length; i++) names += `${i ? ", " : ""}${dom.fileName(files[i])}`;
    return names;
  };

  const VOID = { __proto__: null, area: 1, base: 1, br: 1, col: 1, embed: 1, hr: 1, img: 1, input: 1, link: 1, meta: 1, source: 1, track: 1, wbr: 1 };
  const OPAQUE = { __proto__: null, script: 1, textarea: 1, iframe: 1, frame: 1, template: 1, noscript: 1 };
  const VERBATIM = { __proto__: null, pre: 1, listing: 1, plaintext: 1, xmp: 1 };

  // Without recursion: a script can nest elements deeper than any stack.
  const write = (top, fields) => {
    let out = "";
    let run = ""; // text not yet written: adjacent pieces are one
    let verbatim = 0;
    const flush = () => {
      if (run !== "") out += escape(verbatim ? run : collapse(run));
      run = "";
    };
    const open = []; // {end, next, verbatim}: what to write after the children, and where to go on
    let at = top;
    while (at || open.length) {
      if (!at) {
        flush();
        const last = open[open.length - 1];
        open.length--;
        out += last.end;
        verbatim -= last.verbatim;
        at = last.next;
        continue;
      }
      const type = dom.nodeType(at);
      const next = at === top ? null : dom.nextSibling(at);
      if (type === 3 || type === 4) run += dom.data(at);
      if (type !== 1) { at = next; continue; }
      flush();
      const name = tag(at);
      if (jostle.ignores(at)) { out += `<${name}>*</${name}>`; at = next; continue; }
      const state = stateOf(at, name);
      if (fields && (name === "input" || name === "textarea" || name === "select")) fields[fields.length] = at;
      out += `<${name}${attributesOf(at, name)}${state}>`;
      if (VOID[name]) { at = next; continue; }
      const shadow = dom.shadowRoot(at);
      const inside = OPAQUE[name] ? null : dom.firstChild(at);
      const pre = VERBATIM[name] ?? 0;
      open[open.length] = { end: `</${name}>`, next, verbatim: pre };
      verbatim += pre;
      if (shadow) {
        out += "<#shadow>";
        open[open.length] = { end: "</#shadow>", next: inside, verbatim: 0 };
        at = dom.firstChild(shadow);
      } else at = inside;
    }
    flush();
    return out;
  };

  // Four lanes of 32 bits, four bytes a step, mixed well at the end: to tell states apart, not to withstand forgers.
  const DIGITS = "0123456789abcdef";
  const digest = (text) => {
    const bytes = encode(text);
    const length = bytesLength(bytes);
    let a = 0x9e3779b1 ^ length, b = 0x85ebca77, c = 0xc2b2ae3d, d = 0x27d4eb2f;
    for (let i = 0; i < length; i += 4) {
      const k = (bytes[i] | (bytes[i + 1] << 8) | (bytes[i + 2] << 16) | (bytes[i + 3] << 24)) | 0;
      a = imul(a ^ k, 0x85ebca6b); a ^= a >>> 15;
      b = imul(b ^ k, 0xc2b2ae35); b = (b << 13) | (b >>> 19);
      c = imul(c + k, 0x27d4eb2d); c ^= c >>> 13;
      d = imul(d + a, 0x165667b1) ^ k;
    }
    const mix = (h) => {
      h = imul(h ^ (h >>> 16), 0x85ebca6b);
      h = imul(h ^ (h >>> 13), 0xc2b2ae35);
      return (h ^ (h >>> 16)) >>> 0;
    };
    a = mix(a ^ d); b = mix(b ^ a); c = mix(c ^ b); d = mix(d ^ c);
    const hex = (h) => { let text = ""; for (let by = 28; by >= 0; by -= 4) text += DIGITS[(h >>> by) & 15]; return text; };
    return hex(a) + hex(b) + hex(c) + hex(d);
  };

  const readStorage = (kind) => {
    const items = [];
    try {
      const area = storages[kind](globalThis);
      const keys = [];
      for (let i = 0, n = storageLength(area); i < n; i++) keys[i] = storageKey(area, i);
      dom.sort(keys);
      for (let i = 0; i < keys.length; i++) items[i] = [keys[i], storageItem(area, keys[i])];
    } catch {
      // A document without an origin of its own has no storage.
    }
    return items;
  };
  const readCookies = () => {
    try {
      const text = dom.cookie();
      return text ? dom.sort(dom.split(text, "; ")) : [];
    } catch {
      return [];
    }
  };
  const valueOf = (el) => {
    const name = tag(el);
    const type = name === "input" ? dom.type(el) : name;
    if (type === "checkbox" || type === "radio") return dom.checked(el) ? "checked" : "";
    if (type === "file") return fileNames(el);
    if (type !== "select") return dom.value[name](el);
    const options = dom.options(el);
    let text = "";
    for (let i = 0, n = 0; i < options.length; i++) if (dom.selected(options[i])) text += `${n++ ? ", " : ""}${dom.optionLabel(options[i])}`;
    return text;
  };

  // Everything a replay must bring about again. Never throws; what the page hides is left out.
  jostle.snapshot = ({ digestOnly = false } = {}) => {
    const shot = { __proto__: null, url: "", title: "", dom: "", forms: [], storage: { local: [], session: [] }, cookies: [], focus: "", scroll: [0, 0], digest: "" };
    try {
      jostle.begin();
      shot.url = href(location);
      shot.title = dom.title();
      const fields = digestOnly ? null : [];
      const top = dom.top();
      if (top) shot.dom = write(top, fields);
      shot.storage = { local: readStorage("local"), session: readStorage("session") };
      shot.cookies = readCookies();
      const focused = dom.focused();
      if (focused && focused !== dom.body() && focused !== top) shot.focus = jostle.pathOf(focused);
      shot.scroll = [Math.round(dom.scrollX(globalThis)), Math.round(dom.scrollY(globalThis))];
      const list = (items) => { let text = ""; for (let i = 0; i < items.length; i++) text += `\n${typeof items[i] === "string" ? items[i] : `${items[i][0]}\u0001${items[i][1]}`}`; return text; };
      shot.digest = digest(
        `${shot.url}\u0000${shot.title}\u0000${shot.dom}\u0000${list(shot.storage.local)}\u0000${list(shot.storage.session)}\u0000${list(shot.cookies)}\u0000${shot.focus}\u0000${shot.scroll[0]},${shot.scroll[1]}`,
      );
      if (digestOnly) return { __proto__: null, url: shot.url, title: shot.title, digest: shot.digest };
      for (let i = 0; i < fields.length; i++) shot.forms[i] = { field: jostle.pathOf(fields[i]), value: valueOf(fields[i]) };
    } catch (error) {
      shot.reason = `the page keeps itself from being read: ${String(error?.message ?? "")}`;
    }
    return shot;
  };
}
