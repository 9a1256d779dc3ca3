// The structure of what the document shows, as a short text: equal for pages that differ in their data only.
//
//   main(h1" form(input:search[q] button-disabled") ul{li"{a" img}})
//
// An element is its tag, `:` its role or type, `[` the name of a form field, and what a person sees of its state:
// -inactive (a link without an address) -readonly -disabled -inert +expanded +invalid +modal +open +editable. `"`: there is
// text in it. Then its children: in order in `(`, or any number of them in any order in `{`. `*`: two or more in a row.
// Not in it: texts, ids, classes, values, what is checked, selected, pressed or current, where the focus or the pointer
// is, how far things are scrolled, what is said in passing (role `status`, `timer`, `tooltip`), and whatever a person could
// not see by scrolling. What hovering has opened is in it.
(jostle) => {
  const { dom } = jostle;
  const { SafeMap, SafeSet, attribute, has, property, tag } = dom;
  const words = (list) => { const set = new SafeSet(); for (const word of list.split(" ")) set.add(word); return set; };
  const href = dom.take(location, "href");
  const rectangle = globalThis.DOMRectReadOnly?.prototype;
  const left = dom.take(rectangle, "left"), right = dom.take(rectangle, "right"), bottom = dom.take(rectangle, "bottom");
  const sizeOf = (name) => {
    const read = dom.take(HTMLElement.prototype, name);
    return (el) => { try { return read(el); } catch { return 2; } }; // SVG has none: big enough to be seen
  };
  const offsetWidth = sizeOf("offsetWidth"), offsetHeight = sizeOf("offsetHeight");
  const { floor, max } = Math;
  const push = (list, item) => { list[list.length] = item; };
  const part = (list, from, to) => { const out = []; for (let i = from; i < to; i++) out[i - from] = list[i]; return out; };

  const MOST = 200000; // elements that are looked at
  const DEEP = 150; // levels from which on all that is displayed counts as seen: Chromium looks at all ancestors
  const GENERAL = 60; // levels of an item of a list that are brought together with those of other items
  const PERIOD = 4; // the longest group of siblings whose repetition is looked for
  const PRESENT = { visibilityProperty: true };
  const SKIPPED = words("area audio base br col colgroup datalist head link map meta noscript param rp script source style template title track wbr");
  // Marks within a text: one user's text has them, another's does not.
  const INLINE = words("abbr b bdi bdo big cite code data del dfn em font i ins kbd mark nobr picture q rb rt ruby s samp slot strong sub sup time tt u var");
  const OPAQUE = words("canvas embed frame iframe img input math meter object progress svg textarea video");
  const FIELDS = words("input select textarea button");
  // Whose children are items: how many there are, and in which order, is data.
  const LISTS = words("dl menu ol optgroup table tbody tfoot thead ul");
  const LIST_ROLES = words("feed grid list listbox log menu menubar radiogroup rowgroup table tablist tree treegrid");
  const PASSING = words("marquee status timer tooltip"); // "Saved.", the time of day, what the pointer rests on; not `alert`
  const PROSE = words("blockquote h1 h2 h3 h4 h5 h6 hr p pre");

  const digit = (c) => c >= "0" && c <= "9";
  const letter = (c) => (c >= "a" && c <= "z") || (c >= "A" && c <= "Z") || c === "_" || c === "-" || c > "\x7f";
  // Numbers in names (`items[3].amount`) and what a program has numbered are the same; nothing in it reads as our own marks.
  const plain = (text, numbered = false) => {
    let out = "";
    for (let i = 0; i < text.length && out.length < 40; i++) {
      const c = text[i];
      if (letter(c) || (numbered && digit(c))) out += c;
      else if (digit(c)) { if (out[out.length - 1] !== "#") out += "#"; }
      else if (out[out.length - 1] !== ".") out += ".";
    }
    return out;
  };
  const names = new SafeMap();
  const nameOf = (name) => {
    let known = names.get(name);
    if (known === undefined) names.set(name, (known = plain(name, true)));
    return known;
  };
  const roleOf = (el) => {
    const given = attribute(el, "role");
    if (!given) return "";
    const first = dom.split(dom.trim(dom.lower(given)), " ")[0];
    return first === "none" || first === "presentation" || first === "generic" ? "" : plain(first);
  };
  const isTrue = (el, name) => attribute(el, name) === "true";

  // Shapes: each is made once, so that equal ones have the same number. {base, text, kids, list, general}
  let shapes, numbers, merged, seen;
  const shape = (base, text, kids, list, general) => {
    const key = `${base}\n${text ? 1 : 0}${list ? 1 : 0} ${dom.join(kids, " ")}`;
    let number = numbers.get(key);
    if (number === undefined) {
      numbers.set(key, (number = shapes.length));
      push(shapes, { base, text, kids, list, general });
    }
    return number;
  };
  // A child is the number of its shape, doubled, and one more if there are several in a row.
  const shapeOf = (kid) => shapes[kid >> 1];

  const unique = (list) => {
    const known = new SafeSet();
    const kept = [];
    for (let i = 0; i < list.length; i++) if (!known.has(list[i])) { known.add(list[i]); push(kept, list[i]); }
    return kept;
  };
  // Items of lists by their base, each with whatever any item of that base has.
  const itemsOf = (kids, depth) => {
    const byBase = new SafeMap();
    const bases = [];
    const add = (kid) => {
      const { base, kids: inner } = shapeOf(kid);
      if (base === "") { for (let i = 0; i < inner.length; i++) add(inner[i]); return; } // a group
      const known = byBase.get(base);
      if (known) push(known, kid >> 1);
      else { byBase.set(base, [kid >> 1]); push(bases, base); }
    };
    for (let i = 0; i < kids.length; i++) add(kids[i]);
    dom.sort(bases);
    const items = [];
    for (let i = 0; i < bases.length; i++) push(items, 2 * merge(byBase.get(bases[i]), depth));
    return items;
  };
  const merge = (list, depth) => {
    const ids = unique(list);
    const first = shapes[ids[0]];
    if (ids.length === 1 && first.general) return ids[0];
    dom.sort(ids);
    const key = dom.join(ids, " ");
    let number = merged.get(key);
    if (number !== undefined) return number;
    let text = false;
    const kids = [];
    for (let i = 0; i < ids.length; i++) {
      const each = shapes[ids[i]];
      text ||= each.text;
      for (let k = 0; k < each.kids.length; k++) push(kids, each.kids[k]);
    }
    const bounded = depth >= GENERAL;
    const all = bounded ? [] : itemsOf(kids, depth + 1);
    number = shape(first.base, text, all, all.length > 0, true);
    merged.set(key, number);
    return number;
  };

  const basesOf = ({ kids }) => {
    const bases = new SafeSet();
    for (let i = 0; i < kids.length; i++) {
      const { base, kids: inner } = shapeOf(kids[i]);
      if (base !== "") bases.add(base);
      else for (let k = 0; k < inner.length; k++) bases.add(shapeOf(inner[k]).base);
    }
    return bases;
  };
  // Do they have more of their children in common than not? Cards with and without a badge do, a header and a dialog do not.
  const alike = (ids) => {
    let common = null;
    const all = new SafeSet();
    for (let i = 0; i < ids.length; i++) {
      const bases = basesOf(shapes[ids[i]]);
      const both = new SafeSet();
      bases.forEach((base) => { all.add(base); if (!common || common.has(base)) both.add(base); });
      common = both;
    }
    return dom.setSize(common) > 0 && dom.setSize(common) * 2 >= dom.setSize(all);
  };
  // Siblings in order, repetitions written once.
  const inOrder = (kids) => {
    let row = [];
    for (let i = 0; i < kids.length; ) {
      const { base } = shapeOf(kids[i]);
      let end = i + 1;
      if (PROSE.has(base)) {
        while (end < kids.length && PROSE.has(shapeOf(kids[end]).base)) end++;
        if (end > i + 1) {
          const parts = itemsOf(part(kids, i, end), 0);
          push(row, parts.length === 1 ? parts[0] + 1 : 2 * shape("", false, parts, true, true) + 1);
        } else push(row, kids[i]);
      } else {
        while (end < kids.length && shapeOf(kids[end]).base === base) end++;
        const run = [];
        for (let k = i; k < end; k++) push(run, kids[k] >> 1);
        const ids = unique(run);
        if (run.length === 1) push(row, kids[i]);
        else if (ids.length === 1) push(row, 2 * ids[0] + 1);
        else if (alike(ids)) push(row, 2 * merge(ids, 0) + 1);
        else for (let k = i; k < end; k++) {
          if (row.length && k > i && row[row.length - 1] >> 1 === kids[k] >> 1) row[row.length - 1] |= 1;
          else push(row, kids[k]);
        }
      }
      i = end;
    }
    for (let period = 2; period <= PERIOD; period++) row = grouped(row, period);
    return row;
  };
  const grouped = (row, period) => {
    if (row.length < 2 * period) return row;
    const out = [];
    for (let i = 0; i < row.length; ) {
      let end = i + period;
      while (end < row.length && row[end] === row[end - period]) end++;
      const times = floor((end - i) / period);
      if (times < 2) { push(out, row[i++]); continue; }
      push(out, 2 * shape("", false, part(row, i, i + period), false, false) + 1);
      i += times * period;
    }
    return out;
  };

  const baseOf = (el, name, role) => {
    let base = nameOf(name);
    let state = "";
    if (name === "input") base += `:${plain(dom.type(el) ?? "")}`;
    else if (name === "a" && !has(el, "href")) state += "-inactive";
    if (role) base += `:${role}`;
    if (dom.setHas(FIELDS, name)) {
      const field = attribute(el, "name");
      if (field) base += `[${plain(field)}]`;
      if (name !== "button" && has(el, "readonly")) state += "-readonly";
    }
    if (dom.matches(el, ":disabled") || isTrue(el, "aria-disabled")) state += "-disabled";
    if (has(el, "inert")) state += "-inert";
    if (isTrue(el, "aria-expanded")) state += "+expanded";
    const invalid = attribute(el, "aria-invalid");
    if (invalid && invalid !== "false") state += "+invalid";
    if (name === "dialog" && dom.matches(el, ":modal")) state += "+modal";
    else if (isTrue(el, "aria-modal")) state += "+modal";
    if (name === "details" && has(el, "open")) state += "+open";
    if (has(el, "contenteditable") && dom.editable(el)) state += "+editable";
    return base + state;
  };

  const HIDDEN = 0, SEEN = 1, THROUGH = 2; // through: it shows nothing itself, what is in it may
  // `around`: the entry of the element it is in. Boxes are looked at only where they can tell something: they cost most.
  const sight = (el, around, extent, deep) => {
    const style = dom.style(el);
    if (deep) return property(style, "display") === "none" ? HIDDEN : SEEN;
    if (!dom.checkVisibility(el, PRESENT)) {
      const display = property(style, "display");
      if (display === "contents") return THROUGH;
      return display === "none" || display === "" || property(style, "visibility") === "visible" ? HIDDEN : THROUGH;
    }
    if (property(style, "opacity") === "0" && tag(el) !== "input") return HIDDEN; // a page often paints its fields itself
    if (property(style, "overflow-x") !== "visible" && isFolded(el, style)) return HIDDEN;
    if (dom.firstElement(el)) {
      const position = property(style, "position");
      if ((position === "fixed" || position === "absolute") && isBeside(dom.box(el), position, around, extent)) return HIDDEN;
    }
    return SEEN;
  };
  // It has no size, or one pixel for screen readers: nothing of what is in it is seen, but for what is placed elsewhere.
  const isFolded = (el, style) => {
    const width = offsetWidth(el), height = offsetHeight(el);
    if (width >= 1 && height >= 1 && width + height > 2) return false;
    const free = property(style, "position") === "static";
    for (let at = dom.firstElement(el), n = 0; at && n < 20; at = dom.nextElement(at), n++) {
      const position = property(dom.style(at), "position");
      if (position === "fixed" || (free && position === "absolute")) return false;
    }
    return true;
  };
  // Beside the page, where no scrolling leads: a closed drawer.
  const isBeside = (box, position, around, extent) => {
    const l = left(box), r = right(box), b = bottom(box);
    if (r <= l || (r > 0 && b > 0 && l < extent.width)) return false;
    const { fixed, scrolls } = position === "fixed" ? FIXED : circumstances(around);
    return fixed || (!scrolls && (r + extent.x <= extent.left || b + extent.y <= 0 || l + extent.x >= extent.right));
  };
  const FREE = { fixed: false, scrolls: false }, FIXED = { fixed: true, scrolls: false }, SCROLLED = { fixed: false, scrolls: true };
  // Is it in a part that stays where it is, or in one that scrolls by itself? Looked up once for each element that is asked for.
  const circumstances = (entry) => {
    const asked = [];
    while (!entry.where) { push(asked, entry); entry = entry.around; }
    for (let i = asked.length - 1; i >= 0; i--) {
      const { where } = asked[i].around;
      const style = dom.style(asked[i].el);
      const overflow = property(style, "overflow-x");
      if (overflow === "auto" || overflow === "scroll") asked[i].where = SCROLLED;
      else if (property(style, "position") === "fixed") asked[i].where = FIXED;
      else asked[i].where = where;
    }
    return asked.length ? asked[0].where : entry.where;
  };

  // Without recursion: a script can nest elements deeper than any stack.
  const read = (start) => {
    const scroller = dom.scroller() ?? dom.top();
    const width = dom.width(globalThis), over = max(0, (dom.scrollWidth(scroller) ?? 0) - width);
    const leftwards = property(dom.style(scroller), "direction") === "rtl";
    const extent = {
      width, x: dom.scrollX(globalThis), y: dom.scrollY(globalThis), left: leftwards ? -over : 0, right: leftwards ? width : width + over,
    };
    const whole = { base: "", text: false, kids: [], mute: false, then: null, where: FREE };
    const open = [whole]; // elements whose children are being read
    let within = whole; // the innermost of them that counts itself
    let at = start;
    while (true) {
      if (!at) {
        const last = open[open.length - 1];
        if (last.then) { at = last.then; last.then = null; continue; }
        if (last === whole) break;
        open.length--;
        at = last.next;
        if (last.base === null) continue; // what was in it is in the one around it
        within = last.within;
        const kids = last.list ? itemsOf(last.kids, 0) : inOrder(last.kids);
        push(within.kids, 2 * shape(last.base, last.text, kids, last.list && kids.length > 0, false));
        continue;
      }
      const kind = dom.nodeType(at);
      const next = at === start ? null : dom.nextSibling(at);
      if (kind === 3 || kind === 4) {
        if (!within.text && !open[open.length - 1].mute && dom.trim(dom.data(at)) !== "") within.text = true;
      }
      const name = kind === 1 ? tag(at) : "";
      if (kind !== 1 || dom.setHas(SKIPPED, name) || seen >= MOST || jostle.ignores(at)) { at = next; continue; }
      seen++;
      const around = open[open.length - 1];
      const how = at === start ? SEEN : sight(at, around, extent, open.length > DEEP);
      if (how === HIDDEN) { at = next; continue; }
      const role = roleOf(at);
      if (dom.setHas(PASSING, role)) { at = next; continue; }
      const through = how === THROUGH || (!role && dom.setHas(INLINE, name));
      if (!through && (dom.setHas(OPAQUE, name) || name === "select")) {
        const choices = name === "select" ? dom.options(at) : null;
        const kids = choices && choices.length > 1 ? [2 * shape("option", true, [], false, true)] : [];
        push(within.kids, 2 * shape(baseOf(at, name, role), false, kids, kids.length > 0, true));
        at = next;
        continue;
      }
      const shadow = dom.shadowRoot(at);
      const inside = dom.firstChild(at);
      // What is invisible itself says nothing, though what is in it may be visible.
      const mute = how === THROUGH && property(dom.style(at), "visibility") !== "visible";
      const entry = { el: at, base: null, list: false, text: false, kids: null, mute, next, then: shadow ? inside : null, within, around, where: null };
      if (!through) {
        entry.base = baseOf(at, name, role);
        entry.list = role ? dom.setHas(LIST_ROLES, role) : dom.setHas(LISTS, name);
        entry.kids = [];
        within = entry;
      }
      push(open, entry);
      at = shadow ? dom.firstChild(shadow) : inside;
    }
    return inOrder(whole.kids);
  };

  // Shapes are made after those they consist of: from the first to the last.
  const write = (kids) => {
    const texts = [];
    const row = (list) => {
      let text = "";
      for (let i = 0; i < list.length; i++) text += `${i ? " " : ""}${texts[list[i] >> 1]}${list[i] & 1 ? "*" : ""}`;
      return text;
    };
    for (let i = 0; i < shapes.length; i++) {
      const { base, text, kids: inner, list } = shapes[i];
      const content = inner.length ? (list ? `{${row(inner)}}` : `(${row(inner)})`) : "";
      texts[i] = `${base}${text ? '"' : ""}${content}`;
    }
    return row(kids);
  };

  // {url, title, skeleton}. Never throws.
  jostle.skeleton = () => {
    const page = { __proto__: null, url: "", title: "", skeleton: "" };
    try {
      page.url = href(location);
      page.title = dom.title();
      shapes = [];
      numbers = new SafeMap();
      merged = new SafeMap();
      seen = 0;
      const start = dom.body() ?? dom.top();
      if (start) page.skeleton = write(read(start));
      if (seen >= MOST) page.skeleton += " ...";
    } catch (error) {
      page.reason = `the page keeps itself from being read: ${String(error?.message ?? "")}`;
    }
    shapes = numbers = merged = null;
    return page;
  };
}
