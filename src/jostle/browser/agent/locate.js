// Naming an element the way a person would, and finding it again by that name in another run.
(jostle) => {
  const { dom } = jostle;
  const { SafeMap, attribute, replace, slice, tag, test, trim } = dom;
  const words = (list) => { const set = new dom.SafeSet(); for (const word of list.split(" ")) set.add(word); return set; };

  const NAME_LENGTH = 60;
  const CONTEXT_LENGTH = 40;
  const MANY = 300; // of so many equally named elements no context is looked up: they are counted
  const TEST_ATTRIBUTES = ["data-testid", "data-test-id", "data-test", "data-cy", "data-qa", "data-pw"];
  const TEST_SELECTOR = "[data-testid],[data-test-id],[data-test],[data-cy],[data-qa],[data-pw]";

  const ROLES = {
    __proto__: null,
    html: "document", article: "article", aside: "complementary", button: "button", dialog: "dialog", dd: "definition", dt: "term",
    fieldset: "group", details: "group", figure: "figure", footer: "contentinfo", form: "form",
    h1: "heading", h2: "heading", h3: "heading", h4: "heading", h5: "heading", h6: "heading",
    header: "banner", hr: "separator", img: "img", li: "listitem", main: "main", menu: "list", meter: "meter",
    nav: "navigation", ol: "list", optgroup: "group", option: "option", output: "status", p: "paragraph",
    progress: "progressbar", section: "region", svg: "img", table: "table", tbody: "rowgroup", td: "cell",
    textarea: "textbox", tfoot: "rowgroup", th: "columnheader", thead: "rowgroup", tr: "row", ul: "list",
  };
  const INPUT_ROLES = {
    __proto__: null,
    button: "button", submit: "button", reset: "button", image: "button", checkbox: "checkbox", radio: "radio", range: "slider",
    number: "spinbutton", search: "searchbox", text: "textbox", email: "textbox", tel: "textbox", url: "textbox",
  };
  const INLINE = words("a abbr b bdi bdo cite code data em font i kbd label mark q s samp small span strong sub sup time tspan u var wbr");
  const SILENT = words("script style template noscript input select textarea option datalist iframe object audio video canvas");
  const LANDMARKS = words("main nav header footer aside form dialog");

  // Answers that hold within one call from outside, and until `jostle.version` says that the document has changed.
  const KEPT = ["names", "headings", "paths", "places", "counted", "unique", "found", "xpaths", "steps", "questions"];
  let memo;
  jostle.begin = () => {
    if (memo && jostle.version !== undefined && memo.version === jostle.version) return memo;
    memo = { version: jostle.version, controls: null, actions: null };
    for (let i = 0; i < KEPT.length; i++) memo[KEPT[i]] = new SafeMap();
    return memo;
  };

  const collapse = (text) => trim(replace(text, /\s+/g, " "));
  const shorten = (text, length) => (text.length > length ? `${trim(slice(text, 0, length - 1))}…` : text);

  // An ARIA role, or a plain word where ARIA has none: "password field", "div".
  const roleOf = (el) => {
    const given = attribute(el, "role");
    if (given) {
      const first = replace(trim(dom.lower(given)), /\s.*$/s, "");
      if (first && first !== "presentation" && first !== "none" && first !== "generic") return first;
    }
    const name = tag(el);
    if (name === "a" || name === "area") return dom.has(el, "href") ? "link" : name;
    if (name === "input") {
      const type = dom.type(el);
      const role = INPUT_ROLES[type];
      if (role === "textbox" && dom.has(el, "list")) return "combobox";
      return role ?? `${type} field`;
    }
    if (name === "select") return dom.multiple(el) || dom.listSize(el) > 1 ? "listbox" : "combobox";
    if (dom.editable(el) && dom.has(el, "contenteditable")) return "textbox";
    return ROLES[name] ?? name;
  };

  // The text an element shows, up to a length: images by their alternatives, nothing of what is hidden.
  const textOf = (el, { limit = NAME_LENGTH + 20, skip = null, hidden = false } = {}) => {
    let text = "";
    const visit = (parent, depth) => {
      for (let child = dom.firstChild(parent); child && text.length < limit; child = dom.nextSibling(child)) {
        const type = dom.nodeType(child);
        if (type === 3) { text += slice(dom.data(child), 0, limit * 4); continue; }
        if (type !== 1 || child === skip || depth > 40) continue;
        const name = tag(child);
        if (dom.setHas(SILENT, name) || attribute(child, "aria-hidden") === "true") continue;
        if (!hidden && !dom.checkVisibility(child, { visibilityProperty: true })) continue;
        const gap = dom.setHas(INLINE, name) ? "" : " ";
        const label = attribute(child, "aria-label") ?? (name === "img" ? attribute(child, "alt") : null);
        text += gap;
        if (label !== null) text += label;
        else visit(dom.shadowRoot(child) ?? child, depth + 1);
        text += gap;
      }
    };
    visit(el, 0);
    return collapse(text);
  };

  const child = (el, name) => {
    for (let at = dom.firstElement(el); at; at = dom.nextElement(at)) if (tag(at) === name) return at;
    return null;
  };
  const labelText = (el) => {
    const labels = dom.labels[tag(el)]?.(el);
    let text = "";
    for (let i = 0; labels && i < labels.length; i++) text += ` ${textOf(labels[i], { skip: el })}`;
    return collapse(text);
  };
  const UNNAMED = words("form table list rowgroup main navigation banner contentinfo complementary region dialog figure group grid listbox tablist menu toolbar tree");

  const ownName = (el) => {
    const ids = attribute(el, "aria-labelledby");
    if (ids) {
      let text = "";
      const root = dom.rootOf(el);
      const list = dom.split(collapse(ids), " ");
      for (let i = 0; i < list.length; i++) {
        const other = dom.nodeType(root) === 1 ? null : dom.byId(root, list[i]);
        if (other) text += ` ${collapse(attribute(other, "aria-label") ?? "") || textOf(other, { hidden: true })}`;
      }
      if ((text = collapse(text))) return text;
    }
    let text = collapse(attribute(el, "aria-label") ?? "");
    if (text) return text;
    const name = tag(el);
    if (name === "input") {
      const type = dom.type(el);
      if (type === "submit" || type === "reset" || type === "button") {
        text = collapse(dom.value.input(el)) || (type === "submit" ? "Submit" : type === "reset" ? "Reset" : "");
      } else text = type === "image" ? collapse(attribute(el, "alt") ?? "") : labelText(el);
    } else if (name === "select" || name === "textarea") text = labelText(el);
    else if (name === "img" || name === "area") text = collapse(attribute(el, "alt") ?? "");
    else if (name === "option") text = collapse(dom.optionLabel(el) ?? "");
    else if (name === "fieldset" || name === "table" || name === "details" || name === "svg" || name === "figure") {
      const title = child(el, { fieldset: "legend", table: "caption", details: "summary", svg: "title", figure: "figcaption" }[name]);
      text = title ? textOf(title, { hidden: name === "svg" }) : "";
    } else if (!dom.setHas(UNNAMED, roleOf(el)) && !(dom.editable(el) && dom.has(el, "contenteditable"))) text = textOf(dom.shadowRoot(el) ?? el);
    if (text) return text;
    text = collapse(attribute(el, "title") ?? "") || collapse(attribute(el, "placeholder") ?? attribute(el, "aria-placeholder") ?? "");
    if (text) return text;
    const pictures = dom.all(el, "svg > title, [title]");
    return pictures.length ? collapse(attribute(pictures[0], "title") ?? textOf(pictures[0], { hidden: true })) : "";
  };
  const nameOf = (el) => {
    const { names } = memo;
    let name = names.get(el);
    if (name === undefined) names.set(el, (name = shorten(ownName(el), NAME_LENGTH)));
    return name;
  };

  const testIdOf = (el) => {
    for (let i = 0; i < TEST_ATTRIBUTES.length; i++) {
      const value = attribute(el, TEST_ATTRIBUTES[i]);
      if (value) return { attribute: TEST_ATTRIBUTES[i], value };
    }
    return null;
  };
  // Identifiers made by a program differ from run to run: counters, hashes, random tokens.
  const GENERATED = /[:«»]|^_r_|\d{3,}|(^|[-_])(?=[a-f]*\d)(?=\d*[a-f])[\da-f]{6,}($|[-_])|^(ember|radix|headlessui|mui|ext-gen|yui|react-select|rc|el-id|v|P\d)\W?.*\d|(?=.*[a-z].*[A-Z].*[a-z].*[A-Z])(?=.*\d)\w{8,}/;
  const isStable = (id) => id !== "" && id.length <= 50 && !test(GENERATED, id) && test(/^[\p{L}_]/u, id);
  const quote = (value) => `"${replace(value, /["\\\n\r\f]/g, (c) => (c === '"' || c === "\\" ? `\\${c}` : `\\${c === "\n" ? "a" : c === "\r" ? "d" : "c"} `))}"`;
  const idSelector = (id) => (test(/^-?[A-Za-z_][\w-]*$/, id) ? `#${id}` : `[id=${quote(id)}]`);

  // Which of its siblings of the same tag an element is, 0 if it is the only one; one look at a parent serves all its children.
  const placeOf = (el, { places, counted }) => {
    const up = dom.parent(el);
    let counts = counted.get(up);
    if (!counts) {
      counts = { __proto__: null };
      for (let at = up && dom.nodeType(up) !== 9 ? firstElementOf(up) : el; at; at = dom.nextElement(at)) {
        const name = tag(at);
        places.set(at, (counts[name] = (counts[name] ?? 0) + 1));
      }
      counted.set(up, counts);
    }
    return counts[tag(el)] > 1 ? places.get(el) : 0;
  };
  const firstElementOf = (parent) => {
    let at = dom.firstChild(parent);
    while (at && dom.nodeType(at) !== 1) at = dom.nextSibling(at);
    return at;
  };
  const isUnique = (root, selector, el, { unique }) => {
    let known = unique.get(root);
    if (!known) unique.set(root, (known = new SafeMap()));
    let only = known.get(selector);
    if (only === undefined) {
      const found = dom.all(root, selector);
      known.set(selector, (only = found.length === 1 ? found[0] : null));
    }
    return only === el;
  };
  const anchorOf = (el, root, state) => {
    const id = attribute(el, "id");
    if (id && isStable(id) && isUnique(root, idSelector(id), el, state)) return idSelector(id);
    const own = testIdOf(el);
    if (own && isStable(own.value) && isUnique(root, `[${own.attribute}=${quote(own.value)}]`, el, state)) return `[${own.attribute}=${quote(own.value)}]`;
    const name = tag(el);
    if (dom.labels[name]) {
      const field = attribute(el, "name");
      const selector = field && isStable(field) && `${name}[name=${quote(field)}]`;
      if (selector && isUnique(root, selector, el, state)) return selector;
    }
    if ((dom.setHas(LANDMARKS, name) || name === "body" || name === "html") && isUnique(root, name, el, state)) return name;
    return "";
  };
  const escapeTag = (name) => replace(name, /[^\w-]/g, (c) => `\\${c}`);
  // A short selector that is unique by construction: child steps from the nearest element with a name of its own.
  const pathOf = (el) => {
    const state = memo;
    const steps = [];
    let path;
    for (let at = el; ; ) {
      if ((path = state.paths.get(at)) !== undefined) break;
      const root = dom.rootOf(at);
      const anchor = anchorOf(at, root, state);
      const up = dom.parent(at);
      if (anchor) {
        path = dom.nodeType(root) === 11 && dom.host(root) ? `${pathOf(dom.host(root))} >>> ${anchor}` : anchor;
        state.paths.set(at, path);
        break;
      }
      steps[steps.length] = at;
      if (up && dom.nodeType(up) === 1) { at = up; continue; }
      path = up && dom.nodeType(up) === 11 && dom.host(up) ? `${pathOf(dom.host(up))} >>> :host` : ":root";
      break;
    }
    for (let i = steps.length - 1; i >= 0; i--) {
      const nth = placeOf(steps[i], state);
      const step = `${escapeTag(tag(steps[i]))}${nth ? `:nth-of-type(${nth})` : ""}`;
      path = path === ":root" && i === steps.length - 1 ? step : `${path} > ${step}`;
      state.paths.set(steps[i], path);
    }
    return path;
  };
  const byPath = (path) => {
    let roots = [document], found = [];
    const parts = dom.split(path, " >>> ");
    for (let i = 0; i < parts.length; i++) {
      found = [];
      for (let r = 0; r < roots.length; r++) {
        const list = dom.all(roots[r], parts[i]);
        for (let k = 0; k < list.length; k++) found[found.length] = list[k];
      }
      roots = [];
      for (let k = 0; k < found.length; k++) {
        const root = dom.shadowRoot(found[k]);
        if (root) roots[roots.length] = root;
      }
    }
    return found;
  };

  // Without a name: whatever else tells it apart for a person reading the page's source.
  const hintOf = (el) => {
    const own = testIdOf(el);
    if (own) return own.value;
    const id = attribute(el, "id");
    if (id && isStable(id)) return `#${id}`;
    const field = attribute(el, "name");
    if (field) return `[${field}]`;
    const classes = dom.split(collapse(attribute(el, "class") ?? ""), " ");
    for (let i = 0; i < classes.length; i++) if (isStable(classes[i])) return `.${classes[i]}`;
    return "";
  };
  const plainWords = (el) => {
    const name = nameOf(el);
    const role = roleOf(el);
    if (name) return `${role} "${name}"`;
    const hint = shorten(hintOf(el), CONTEXT_LENGTH);
    return hint ? `${role} ${hint}` : role;
  };

  const HEADINGS = "h1,h2,h3,h4,h5,h6,legend,[role=heading]";
  const CONTEXTS = {
    __proto__: null,
    dialog: "dialog", alertdialog: "dialog", form: "form", search: "form", group: "group", radiogroup: "group", listitem: "item",
    treeitem: "item", option: "item", row: "row", article: "article", region: "section", navigation: "navigation", banner: "header",
    contentinfo: "footer", complementary: "aside", tabpanel: "tab", main: "main",
  };
  const firstHeading = (el, skip) => {
    let found = memo.headings.get(el);
    if (found === undefined) memo.headings.set(el, (found = dom.first(el, HEADINGS)));
    return found && !dom.contains(skip, found) && !dom.contains(found, skip) ? textOf(found, { limit: CONTEXT_LENGTH }) : "";
  };
  // The smallest named part of the page an element stands in: `item "Milk"`, `form "New recipe"`.
  const contextOf = (el) => {
    const body = dom.body();
    for (let at = dom.shownParent(el), depth = 0; at && at !== body && depth < 60; at = dom.shownParent(at), depth++) {
      const kind = CONTEXTS[roleOf(at)];
      if (!kind) {
        const heading = depth < 8 && !dom.setHas(INLINE, tag(at)) ? firstHeading(at, el) : "";
        if (heading) return `"${shorten(heading, CONTEXT_LENGTH)}"`;
        continue;
      }
      let name = "";
      if (dom.has(at, "aria-label") || dom.has(at, "aria-labelledby")) name = ownName(at);
      name ||= firstHeading(at, el);
      if (!name && kind === "row") {
        for (let cell = dom.firstElement(at); cell && !name; cell = dom.nextElement(cell)) name = textOf(cell, { limit: CONTEXT_LENGTH, skip: el });
      }
      if (!name && kind === "item") name = itemText(at, el);
      if (name) return `${kind} "${shorten(name, CONTEXT_LENGTH)}"`;
      if (kind === "navigation" || kind === "header" || kind === "footer" || kind === "aside" || kind === "main" || kind === "dialog") return kind;
    }
    return "";
  };
  // What an item of a list says besides its buttons.
  const itemText = (item, el, limit = CONTEXT_LENGTH) => {
    let text = "";
    const visit = (parent, depth) => {
      for (let at = dom.firstChild(parent); at && text.length < limit; at = dom.nextSibling(at)) {
        const type = dom.nodeType(at);
        if (type === 3) text += dom.data(at);
        else if (type === 1 && at !== el && depth < 12 && !dom.setHas(SILENT, tag(at)) && roleOf(at) !== "button") {
          if (!dom.checkVisibility(at, { visibilityProperty: true })) continue;
          const gap = dom.setHas(INLINE, tag(at)) ? "" : " ";
          text += gap;
          visit(at, depth + 1);
          text += gap;
        }
      }
    };
    visit(item, 0);
    return collapse(text);
  };

  const ordinal = (n) => `${n}${n % 100 >= 11 && n % 100 <= 13 ? "th" : ["th", "st", "nd", "rd"][n % 10] ?? "th"}`;
  const locatorOf = (el, within, nth, text) => ({
    words: text, role: roleOf(el), name: nameOf(el), test: testIdOf(el)?.value ?? "", css: pathOf(el), within, nth,
  });

  // Locators of many elements at once, so that their words differ from each other.
  jostle.locators = (elements) => {
    const groups = new SafeMap();
    const plain = [];
    const made = [];
    for (let i = 0; i < elements.length; i++) {
      const text = (plain[i] = plainWords(elements[i]));
      const group = groups.get(text);
      if (group) group.size++;
      else groups.set(text, { size: 1 });
    }
    const counts = new SafeMap();
    for (let i = 0; i < elements.length; i++) {
      const el = elements[i];
      const { size } = groups.get(plain[i]);
      const within = size > 1 && size <= MANY ? contextOf(el) : "";
      const text = within ? `${plain[i]} in ${within}` : plain[i];
      const nth = (counts.get(text) ?? 0) + 1;
      counts.set(text, nth);
      made[i] = { el, within, nth, words: nth > 1 ? `${text} (${ordinal(nth)})` : text };
    }
    return made;
  };
  jostle.locatorOf = (made) => locatorOf(made.el, made.within, made.nth, made.words);

  jostle.describe = (el) => {
    try {
      jostle.begin();
      if (!el || dom.nodeType(el) !== 1) {
        const up = el && dom.parent(el);
        if (!up || dom.nodeType(up) !== 1) return { words: "document", role: "document", name: "", test: "", css: "", text: "" };
        el = up;
      }
      return { words: plainWords(el), role: roleOf(el), name: nameOf(el), test: testIdOf(el)?.value ?? "", css: pathOf(el), text: shorten(textOf(el), NAME_LENGTH) };
    } catch {
      return { words: "element", role: "", name: "", test: "", css: "", text: "" };
    }
  };

  const sameBut = (a, b) => replace(a, /\d+/g, "0") === replace(b, /\d+/g, "0");
  const only = (list, keep) => {
    const kept = [];
    for (let i = 0; i < list.length; i++) if (keep(list[i])) kept[kept.length] = list[i];
    return kept;
  };
  const withTestId = (value, root, found) => {
    const list = dom.all(root, TEST_SELECTOR);
    for (let i = 0; i < list.length; i++) if (testIdOf(list[i])?.value === value) found[found.length] = list[i];
    return found;
  };
  const resolve = ({ words: said = "", role = "", name = "", test: testId = "", css = "", within = "", nth = 1 }) => {
    let pool = jostle.controls();
    if (testId) {
      const roots = jostle.roots();
      const found = [];
      for (let i = 0; i < roots.length; i++) withTestId(testId, roots[i], found);
      const shown = found.length > 1 ? only(found, (el) => dom.checkVisibility(el)) : found;
      if (shown.length === 1) return shown[0];
      if (shown.length) pool = shown;
    }
    let candidates = role ? only(pool, (el) => roleOf(el) === role && nameOf(el) === name && (name || dom.startsWith(said, plainWords(el)))) : [];
    if (candidates.length > 1 && within) {
      const there = candidates.length <= MANY ? only(candidates, (el) => contextOf(el) === within) : [];
      if (there.length) candidates = there;
    }
    if (candidates.length === 1) return candidates[0];
    const placed = css ? byPath(css) : [];
    if (candidates.length > 1) {
      const both = only(placed, (el) => { for (let i = 0; i < candidates.length; i++) if (candidates[i] === el) return true; return false; });
      return both.length === 1 ? both[0] : candidates[nth - 1] ?? null;
    }
    if (placed.length !== 1) return null;
    // Nothing has that name now. A place alone says who it is only if the place has a name of its own
    // (an id, a field's name) or if the name differs in its numbers only: `button "3 likes"`.
    const el = placed[0];
    if (role && roleOf(el) !== role) return null;
    const anchored = !test(/:nth-of-type\(\d+\)$/, css) && !test(/ > [\w\\-]+$/, css);
    return !role || !name || anchored || sameBut(nameOf(el), name) ? el : null;
  };

  // The element a locator speaks of now: {element, reason}; the element is null when there is none.
  jostle.find = (locator) => {
    try {
      const { found } = jostle.begin();
      const key = `${locator.role}\n${locator.name}\n${locator.test}\n${locator.css}\n${locator.within}\n${locator.nth}`;
      let element = found.get(key);
      if (element === undefined) found.set(key, (element = resolve(locator)));
      return element ? { element, reason: "" } : { element: null, reason: "no such element" };
    } catch {
      return { element: null, reason: "the page keeps the element from being looked for" };
    }
  };
  jostle.pathOf = pathOf;
  jostle.roleOf = roleOf;
  jostle.nameOf = nameOf;
  jostle.textOf = textOf;
  jostle.textBesideButtons = (el, limit) => itemText(el, null, limit);
}
