// What a person could do in this document now, and where to point to do it.
(jostle) => {
  const { dom } = jostle;
  const { SafeMap, SafeSet, attribute, has, matches, property, tag } = dom;
  const paintEntries = performance.getEntriesByType.bind(performance);
  const dispatch = dom.take(EventTarget.prototype, "dispatchEvent");
  const { Event } = globalThis;
  const words = (list) => { const set = new SafeSet(); for (const word of list.split(" ")) set.add(word); return set; };

  const CAP = 2000;
  const HINT_LENGTH = 400; // characters of what is written in a form
  const TITLE_LENGTH = 100;
  const ADDRESS_LENGTH = 500;
  const SUBMITS = "button:not([type]),button[type=submit],input[type=submit],input[type=image]";
  const DIALOGS = "dialog,[role=dialog],[role=alertdialog]";
  const DROPS = 8; // places to drop one thing on
  const FRAMEWORK = 20; // an element that listens for so many kinds of events does it for its descendants
  const VISIBLE = { opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: false };
  const PRESENT = { visibilityProperty: true };
  const LINK_PROTOCOLS = /^(https?|file|javascript|blob|about):/i;
  const CLICKS = ["click", "mousedown", "mouseup", "pointerdown", "pointerup"];
  const HOVERS = ["mouseover", "mouseenter", "pointerover", "pointerenter"];
  const TOUCHES = ["touchstart", "touchend"];
  const OTHERS = ["dblclick", "contextmenu", "keydown", "keyup", "keypress"];
  const DROPPING = ["drop", "dragover", "dragenter"];
  const WATCHED = [...CLICKS, ...HOVERS, ...TOUCHES, ...OTHERS, ...DROPPING];
  const HANDLER_ATTRIBUTES = WATCHED.map((type) => `[on${type}]`).join(",");
  const ASSIGNED = ["click", "mousedown", "pointerdown", "dblclick", "contextmenu", "keydown", "mouseover", "mouseenter", "drop"];
  const getters = ASSIGNED.map((type) => dom.take(HTMLElement.prototype, `on${type}`));
  const CONTROLS = "a[href],area[href],button,input,textarea,select,summary,[contenteditable],[draggable],[tabindex],[role]";
  const ACTIVE_ROLES = words(
    "button checkbox combobox gridcell link listbox menuitem menuitemcheckbox menuitemradio option radio searchbox slider spinbutton switch tab textbox treeitem",
  );
  const NATIVE = words("button input textarea select summary");
  const LIST_PARTS = { __proto__: null, ul: ":scope > li", ol: ":scope > li", menu: ":scope > li", table: "tr", tbody: "tr", tr: "td" };
  const TYPED = words("text search email url tel password number");
  const FILLED = words("date time month week datetime-local color");
  const any = (types, list) => { for (let i = 0; i < list.length; i++) if (types.has(list[i])) return true; return false; };
  const push = (list, item) => { list[list.length] = item; };

  jostle.roots = () => {
    const roots = [document];
    for (let r = 0; r < roots.length; r++) {
      const all = dom.all(roots[r], "*");
      for (let i = 0; i < all.length; i++) {
        const inner = dom.shadowRoot(all[i]);
        if (inner) push(roots, inner);
      }
    }
    return roots;
  };
  // What can be read in the page, also in open shadow roots.
  const innerText = dom.take(HTMLElement.prototype, "innerText");
  const readable = (el) => { try { return innerText(el); } catch { return ""; } }; // SVG has none
  // What is only said to screen readers is gone once it was said: its last words are not what the page shows.
  const LIVE = '[aria-live], [role="status"], [role="log"], [role="alert"]';
  const isUnseen = (el) => {
    const { width, height } = dom.box(el);
    return width <= 1 || height <= 1 || dom.startsWith(dom.property(dom.style(el), "clip-path"), "inset(50%");
  };
  const announced = (root, lines) => {
    const live = dom.all(root, LIVE);
    for (let i = 0; i < live.length; i++) {
      const said = readable(live[i]);
      if (!said || !isUnseen(live[i])) continue;
      const words = dom.split(said, "\n");
      for (let w = 0; w < words.length; w++) if (words[w]) lines[lines.length] = words[w];
    }
  };
  const without = (text, lines) => {
    const left = dom.split(text, "\n");
    for (let i = 0; i < lines.length; i++) {
      let at = left.length - 1; // they stand at the end of the page, as a rule
      while (at >= 0 && left[at] !== lines[i]) at--;
      if (at >= 0) left[at] = "";
    }
    return dom.join(left, "\n");
  };
  jostle.readable = () => {
    const roots = jostle.roots(), body = dom.body() ?? dom.top(), unseen = [];
    let text = body ? readable(body) : "";
    for (let r = 0; r < roots.length; r++) announced(roots[r], unseen);
    for (let r = 1; r < roots.length; r++) {
      let inside = "", first = true;
      for (let at = dom.firstChild(roots[r]); at; at = dom.nextSibling(at)) {
        if (dom.nodeType(at) !== 1) continue;
        inside += `${first ? "" : "\n"}${readable(at)}`;
        first = false;
      }
      text += `\n${inside}`;
    }
    return unseen.length ? without(text, unseen) : text;
  };

  // The user events an element itself handles, however its handlers were registered; null for none.
  const NONE = new SafeSet();
  const handled = (el, marked) => {
    let types = null;
    const add = (type) => { (types ??= new SafeSet()).add(type); };
    const known = jostle.listeners && dom.weakGet(jostle.listeners, el);
    if (known && dom.setSize(known) < FRAMEWORK) for (let i = 0; i < WATCHED.length; i++) if (dom.setHas(known, WATCHED[i])) add(WATCHED[i]);
    if (marked) {
      for (let i = 0; i < WATCHED.length; i++) if (has(el, `on${WATCHED[i]}`)) add(WATCHED[i]);
    } else {
      // Reading the property of an attribute would compile it; without the attribute it is a mere look.
      for (let i = 0; i < getters.length; i++) try { if (getters[i](el)) add(ASSIGNED[i]); } catch { break; } // not HTML
    }
    // React, Solid and Svelte listen at the root and keep an element's own handlers in properties of it.
    const own = dom.ownNames(el);
    for (let i = 0; i < own.length; i++) {
      const key = own[i];
      if (dom.startsWith(key, "__reactProps$")) {
        const props = dom.ownProperty(el, key)?.value;
        const names = props ? dom.ownNames(props) : [];
        for (let k = 0; k < names.length; k++) {
          if (!dom.startsWith(names[k], "on") || typeof dom.ownProperty(props, names[k])?.value !== "function") continue;
          const type = dom.lower(dom.slice(names[k], 2));
          add(type === "doubleclick" ? "dblclick" : type);
        }
      } else if (dom.startsWith(key, "$$") || dom.startsWith(key, "__")) {
        const type = dom.slice(key, 2);
        for (let k = 0; k < WATCHED.length; k++) if (WATCHED[k] === type) add(type);
      }
    }
    return types;
  };

  // One pass over the document and its open shadow roots, in document order.
  const scan = () => {
    const state = jostle.begin();
    if (state.controls) return state.controls;
    const entries = [];
    const scrollers = [];
    const drops = [];
    const body = dom.body(), top = dom.top();
    const visit = (root) => {
      const parts = new SafeSet();
      const controls = new SafeSet();
      const list = dom.all(root, CONTROLS);
      for (let i = 0; i < list.length; i++) controls.add(list[i]);
      const marks = dom.all(root, HANDLER_ATTRIBUTES);
      const marked = new SafeSet();
      for (let i = 0; i < marks.length; i++) marked.add(marks[i]);
      const all = dom.all(root, "*");
      for (let i = 0; i < all.length; i++) {
        const el = all[i];
        if (el !== body && el !== top) consider(el, controls.has(el) && isControl(el), marked.has(el), parts);
        const inner = dom.shadowRoot(el);
        if (inner) visit(inner);
      }
    };
    const consider = (el, control, marked, parts) => {
      // Most of a large document is not shown, and looking at it would take longest. A list without a box of its own has items.
      const shown = isShown(el);
      if (!shown && !LIST_PARTS[tag(el)]) return;
      const types = handled(el, marked);
      const style = dom.style(el);
      if (dom.firstElement(el) && dom.scrollHeight(el) > dom.clientHeight(el) + 1) {
        const overflow = property(style, "overflow-y");
        if (overflow === "auto" || overflow === "scroll") push(scrollers, el);
      }
      if (types && any(types, DROPPING)) push(drops, el);
      const listens = types !== null && (any(types, CLICKS) || any(types, HOVERS) || any(types, TOUCHES) || any(types, OTHERS));
      if (listens && any(types, CLICKS) && LIST_PARTS[tag(el)]) {
        const items = dom.all(el, LIST_PARTS[tag(el)]);
        for (let i = 0; i < items.length; i++) parts.add(items[i]);
      }
      let sure = control || parts.has(el);
      if (!sure && property(style, "cursor") === "pointer") {
        const up = dom.shownParent(el);
        sure = !up || up === body || property(dom.style(up), "cursor") !== "pointer";
      }
      if (!shown || (!sure && !listens)) return;
      if (!control) {
        // A label is operated through its field.
        const label = dom.closest(el, "label");
        if (label && dom.labelled(label) && !(types && types.has("dblclick"))) return;
      }
      push(entries, { el, types: types ?? NONE, sure, control });
    };
    visit(document);
    const kept = [];
    for (let i = 0; i < entries.length; i++) {
      // Who only listens and has controls inside listens for those.
      const next = entries[i + 1];
      if (!entries[i].sure && next && dom.isInside(next.el, entries[i].el) && !any(entries[i].types, ["dblclick", "contextmenu", "keydown"])) continue;
      push(kept, entries[i]);
    }
    const elements = [];
    for (let i = 0; i < kept.length; i++) elements[i] = kept[i].el;
    return (state.controls = { entries: kept, elements, scrollers, drops });
  };
  jostle.controls = () => scan().elements;

  const isControl = (el) => {
    const name = tag(el);
    if (dom.setHas(NATIVE, name)) return name !== "input" || dom.type(el) !== "hidden";
    if ((name === "a" || name === "area") && has(el, "href")) return true;
    if (has(el, "role") && dom.setHas(ACTIVE_ROLES, jostle.roleOf(el))) return true;
    if (has(el, "contenteditable") && dom.editable(el)) return true;
    return attribute(el, "draggable") === "true" || (has(el, "tabindex") && dom.tabIndex(el) >= 0);
  };
  // The browser's own box of a checkbox or a file field is often made transparent and painted anew by the page.
  const isRepainted = (el) => tag(el) === "input" && (dom.type(el) === "checkbox" || dom.type(el) === "radio" || dom.type(el) === "file" || dom.type(el) === "range");
  const isShown = (el) => {
    if (dom.checkVisibility(el, VISIBLE)) return true;
    if (!isRepainted(el)) return false;
    if (shownLabels(el).length) return true;
    const up = dom.shownParent(el);
    return dom.checkVisibility(el, PRESENT) && up !== null && dom.checkVisibility(up, VISIBLE);
  };
  const shownLabels = (el) => {
    const labels = dom.labels[tag(el)]?.(el);
    const shown = [];
    for (let i = 0; labels && i < labels.length; i++) if (dom.checkVisibility(labels[i], VISIBLE)) push(shown, labels[i]);
    return shown;
  };

  // The largest piece of an element (a link may run over two lines), or of its contents when it has no box itself.
  const pieceOf = (el, depth = 0) => {
    const rects = dom.rects(el);
    let best = null;
    for (let i = 0; i < rects.length; i++) {
      const { left, top, width, height } = rects[i];
      if (width > 0 && height > 0 && (!best || width * height > best.width * best.height)) best = { left, top, width, height };
    }
    for (let at = dom.firstElement(el); !best && at && depth < 4; at = dom.nextElement(at)) best = pieceOf(at, depth + 1);
    return best;
  };
  const POINTS = [[0.5, 0.5], [0.25, 0.5], [0.75, 0.5], [0.5, 0.2], [0.5, 0.8], [0.1, 0.15], [0.9, 0.85], [0.9, 0.15], [0.1, 0.85]];
  const inView = (piece) => {
    const left = Math.max(piece.left, 0), top = Math.max(piece.top, 0);
    const right = Math.min(piece.left + piece.width, dom.width(globalThis)), bottom = Math.min(piece.top + piece.height, dom.height(globalThis));
    return right - left >= 1 && bottom - top >= 1 ? { left, top, width: right - left, height: bottom - top } : null;
  };
  // A point where a press reaches `el`: {x, y}, or {blocker} with what lies above it.
  const reach = (el, view, quick) => {
    let blocker = null;
    for (let i = 0; i < (quick ? 5 : POINTS.length); i++) {
      const x = view.left + view.width * POINTS[i][0], y = view.top + view.height * POINTS[i][1];
      const hit = dom.at(x, y);
      if (hit && dom.isInside(hit, el)) return { x, y };
      blocker ??= hit;
    }
    return { blocker };
  };

  // Whether scrolling alone could bring an element into view: not if a part that cannot scroll cuts it off.
  const canScrollTo = (el, piece, { styles, extent }) => {
    const styleOf = (at) => {
      let known = styles.get(at);
      if (!known) {
        const style = dom.style(at);
        const overflow = property(style, "overflow");
        known = { style, position: property(style, "position"), hides: false, scrolls: false, box: null };
        if (overflow !== "visible") {
          known.hides = dom.test(/hidden|clip/, overflow);
          known.scrolls = dom.test(/auto|scroll/, overflow);
        }
        styles.set(at, known);
      }
      return known;
    };
    let { left, top, width, height } = piece;
    let { position } = styleOf(el);
    const page = dom.top(), body = dom.body();
    for (let at = dom.shownParent(el); at && at !== page && at !== body && position !== "fixed"; at = dom.shownParent(at)) {
      const style = styleOf(at);
      if (position === "absolute" && style.position === "static" && property(style.style, "transform") === "none") continue;
      position = style.position;
      if (!style.hides && !style.scrolls) continue;
      const box = (style.box ??= dom.box(at));
      if (style.scrolls) ({ left, top, width, height } = box);
      else {
        const right = Math.min(left + width, box.left + box.width), bottom = Math.min(top + height, box.top + box.height);
        left = Math.max(left, box.left);
        top = Math.max(top, box.top);
        width = right - left;
        height = bottom - top;
      }
      if (width < 1 || height < 1) return false;
    }
    if (position === "fixed") return inView({ left, top, width, height }) !== null;
    const { frozen, x, y, right, bottom } = extent;
    if (frozen) return inView({ left, top, width, height }) !== null;
    return left + width + x > 0 && top + height + y > 0 && left + x < right && top + y < bottom;
  };
  // What holds for all elements while the document stands still: how far the page scrolls, the dialog that blocks the rest.
  const survey = (quick) => {
    const page = dom.top(), body = dom.body(), scroller = dom.scroller() ?? page;
    const hides = (el) => el !== null && dom.test(/hidden|clip/, property(dom.style(el), "overflow-y"));
    const dialogs = dom.all(document, "dialog:modal");
    return {
      quick, styles: new SafeMap(), modal: dialogs.length ? dialogs[dialogs.length - 1] : null,
      extent: {
        frozen: hides(page) || hides(body), x: dom.scrollX(globalThis), y: dom.scrollY(globalThis),
        right: dom.scrollWidth(scroller), bottom: dom.scrollHeight(scroller),
      },
    };
  };

  const nameBlocker = (el) => {
    const id = attribute(el, "id"), classes = dom.split(dom.trim(attribute(el, "class") ?? ""), /\s+/);
    return `${tag(el)}${id ? `#${id}` : classes[0] ? `.${classes[0]}` : ""}`;
  };
  const disabled = (el) => matches(el, ":disabled") || attribute(el, "aria-disabled") === "true";
  // Where an element can be pointed at now: {x, y, piece}, {offscreen, piece}, or {reason}.
  const place = (el, how) => {
    if (disabled(el)) return { reason: "it is disabled" };
    const tries = isRepainted(el) ? shownLabels(el) : [];
    tries.unshift(el);
    let reason = "it is not visible";
    for (let i = 0; i < tries.length; i++) {
      const target = tries[i];
      if (target === el && !isShown(el)) continue;
      const piece = pieceOf(target);
      if (!piece) continue;
      const view = inView(piece);
      const found = view ? reach(target, view, how.quick) : {};
      if (found.x !== undefined) return { x: found.x, y: found.y, piece, itself: target === el };
      if (found.blocker) reason = dom.isInside(el, found.blocker) ? "it cannot be pointed at" : `it is covered by ${nameBlocker(found.blocker)}`;
      else reason = "it is out of reach";
      const covered = view && found.blocker && !isCutOff(target, piece);
      if (covered || (how.modal && !dom.isInside(target, how.modal))) continue;
      if (matches(target, "[inert], [inert] *") || property(dom.style(target), "pointer-events") === "none") continue;
      if (canScrollTo(target, piece, how)) return { offscreen: true, piece, target, reason };
      if (!found.blocker) reason = "it is out of reach";
    }
    return { reason };
  };
  // In the viewport, but scrolled out of a part of the page that scrolls on its own.
  const isCutOff = (el, piece) => {
    const x = piece.left + piece.width / 2, y = piece.top + piece.height / 2;
    for (let at = dom.shownParent(el); at; at = dom.shownParent(at)) {
      if (!dom.test(/auto|scroll/, property(dom.style(at), "overflow"))) continue;
      const box = dom.box(at);
      if (x < box.left || x > box.left + box.width || y < box.top || y > box.top + box.height) return true;
    }
    return false;
  };

  // Nothing counts as seen before the first paint: under a held stylesheet elements would take clicks unseen.
  jostle.painted = () => {
    try { return paintEntries("paint").length > 0 || jostle.wouldPaint?.() === true; } catch { return true; }
  };

  // The parser has not come to anything that could be seen: there is no first paint to wait for.
  const isBlank = () => {
    const body = dom.body(), page = dom.top();
    return body ? dom.firstChild(body) === null : !page || tag(page) === "html";
  };

  const number = (n) => Math.round(n * 10) / 10;
  const TOLD = ["name", "pattern", "min", "max", "step", "maxlength", "minlength", "placeholder", "autocomplete", "inputmode"];
  const fieldOf = (el, type) => {
    const field = { type, label: jostle.nameOf(el), value: dom.value[tag(el)]?.(el) ?? "", required: has(el, "required") };
    for (let i = 0; i < TOLD.length; i++) {
      const value = attribute(el, TOLD[i]);
      if (value !== null) field[TOLD[i]] = value;
    }
    const list = attribute(el, "list");
    const options = list && dom.byId(document, list);
    if (options) {
      field.suggestions = [];
      const all = dom.all(options, "option");
      for (let i = 0; i < all.length && i < 20; i++) push(field.suggestions, attribute(all[i], "value") ?? jostle.nameOf(all[i]));
    }
    // Beside a log-in there is often written who may have a look around.
    const owner = dom.form(el);
    if (owner && dom.all(owner, "input[type=password]").length === 1) field.hint = jostle.textOf(owner, { limit: HINT_LENGTH });
    return field;
  };

  // What pressing a button, or Enter in a field, does with a form: {submits, sends_to}, as far as it is known.
  const sending = (el, owner) => {
    const name = tag(el), type = name === "input" ? dom.type(el) : attribute(el, "type") ?? "submit";
    const pressed = (name === "button" || name === "input") && (type === "submit" || type === "image");
    const entered = name === "input" && (dom.setHas(TYPED, type) || dom.setHas(FILLED, type));
    const button = pressed ? el : entered ? dom.first(owner, SUBMITS) : null;
    if (!pressed && !entered) return {};
    const address = (button && attribute(button, "formaction")) || attribute(owner, "action");
    return { ...(entered && button ? { submits: jostle.nameOf(button) } : {}), ...(address ? { sends_to: dom.slice(address, 0, ADDRESS_LENGTH) } : {}) };
  };
  const questionOf = (el) => {
    const dialog = dom.closest(el, DIALOGS);
    if (!dialog) return "";
    const { questions } = jostle.begin();
    let text = questions.get(dialog);
    if (text === undefined) questions.set(dialog, (text = dom.slice(dom.trim(`${attribute(dialog, "aria-label") ?? ""} ${jostle.textBesideButtons(dialog, HINT_LENGTH)}`), 0, HINT_LENGTH)));
    return text;
  };
  // What an action tells of its element, whatever is done with it.
  const standing = (el, locator) => {
    const owner = dom.form(el);
    const kind = tag(el) === "input" ? `input:${dom.type(el)}` : tag(el);
    const title = attribute(el, "title"), question = questionOf(el);
    return {
      locator, element: kind, xpath: jostle.xpathOf(el), ...(owner ? { form: jostle.xpathOf(owner), ...sending(el, owner) } : {}),
      ...(title ? { title: dom.slice(title, 0, TITLE_LENGTH) } : {}), ...(question ? { question } : {}),
    };
  };
  const PAGE = { words: "the page", role: "document", name: "", test: "", css: "html", within: "", nth: 1 };
  const collect = (cap) => {
    const { entries, elements, scrollers, drops } = scan();
    const actions = [];
    const result = { __proto__: null, version: jostle.version ?? null, painted: jostle.painted(), truncated: false, actions, reason: "" };
    if (!result.painted) { result.blank = isBlank(); result.reason = "nothing has been painted yet"; return result; }
    const how = survey(true);
    const left = dom.scrollX(globalThis), top = dom.scrollY(globalThis);
    const named = jostle.locators(elements);
    const offers = (jostle.begin().offers = new SafeMap());
    const add = (item, el) => {
      if (actions.length >= cap) { result.truncated = true; return; }
      push(actions, item);
      if (offers.has(el)) push(offers.get(el), item);
      else offers.set(el, [item]);
    };
    const common = (el, locator, { piece, offscreen = false, itself, x, y }) => ({
      ...standing(el, locator), offscreen, ...(itself ? { at: [number(x), number(y)] } : {}), box: [number(piece.left + left), number(piece.top + top), number(piece.width), number(piece.height)],
    });
    const focused = dom.focused();
    const dragged = [];

    for (let i = 0; i < entries.length && !result.truncated; i++) {
      const { el, types, control } = entries[i];
      const at = place(el, how);
      if (!at.piece) continue;
      const locator = jostle.locatorOf(named[i]);
      const shared = common(el, locator, at);
      const name = tag(el);
      const type = name === "input" ? dom.type(el) : name;
      const act = (action, phrase, more) => add({ action, words: phrase, ...shared, ...more }, el);
      const click = (more) => act("click", `click ${locator.words}`, more);
      const listening = (list) => any(types, list);

      if (name === "select" && !dom.multiple(el) && dom.listSize(el) <= 1) chooseOptions(el, act, locator);
      else if (name === "select") continue; // its options are controls of their own, below
      else if (type === "checkbox" || type === "radio") {
        const on = dom.checked(el);
        if (!on || type === "checkbox") act("check", `${on ? "uncheck" : "check"} ${locator.words}`, { value: String(!on), field: { required: has(el, "required"), checked: on } });
      } else if (type === "file") act("upload", `upload to ${locator.words}`, { field: { ...fieldOf(el, type), accept: attribute(el, "accept") ?? "", multiple: has(el, "multiple") } });
      else if (type === "range") {
        act("press", `press ArrowRight in ${locator.words}`, { value: "ArrowRight", focused: el === focused });
        act("press", `press ArrowLeft in ${locator.words}`, { value: "ArrowLeft", focused: el === focused });
      } else if (name === "input" && dom.setHas(FILLED, type)) {
        if (!dom.readOnly(el)) act("fill", `fill in ${locator.words}`, { field: fieldOf(el, type) });
      } else if (name === "textarea" || (name === "input" && dom.setHas(TYPED, type)) || (dom.editable(el) && has(el, "contenteditable"))) {
        const field = fieldOf(el, name === "input" || name === "textarea" ? type : "editable");
        if (!has(el, "readonly")) act("type", `type in ${locator.words}`, { field, focused: el === focused });
        if (name === "input") act("press", `press Enter in ${locator.words}`, { value: "Enter", focused: el === focused });
        if (listening(CLICKS) || has(el, "readonly") || has(el, "aria-haspopup") || locator.role === "combobox") click();
      } else if (name === "a" || name === "area") {
        const href = dom.href(el);
        if (!has(el, "href")) click();
        else if (dom.test(LINK_PROTOCOLS, href)) {
          click({ href, ...(attribute(el, "target") ? { target: attribute(el, "target") } : {}), ...(has(el, "download") ? { download: true } : {}) });
        }
      } else if (control || entries[i].sure || listening(CLICKS)) click();

      if (listening(["keydown", "keyup", "keypress"]) && !dom.setHas(TYPED, type) && dom.tabIndex(el) >= 0) {
        act("press", `press Enter on ${locator.words}`, { value: "Enter", focused: el === focused });
        act("press", `press Escape on ${locator.words}`, { value: "Escape", focused: el === focused });
      } else if (listening(["keydown", "keyup"]) && dom.setHas(TYPED, type)) act("press", `press Escape in ${locator.words}`, { value: "Escape", focused: el === focused });
      if (listening(["dblclick"])) act("dblclick", `double-click ${locator.words}`);
      if (listening(["contextmenu"])) act("rightclick", `right-click ${locator.words}`);
      if (listening(HOVERS) || (has(el, "aria-haspopup") && !listening(CLICKS) && name !== "button" && name !== "input")) act("hover", `hover over ${locator.words}`);
      if (listening(TOUCHES)) act("tap", `tap ${locator.words}`);
      if (attribute(el, "draggable") === "true") push(dragged, { el, locator, shared });
    }
    listOptions(how, common, add);
    if (dragged.length) pairUp(dragged, drops, how, add);
    for (let i = 0; i < scrollers.length; i++) {
      const el = scrollers[i];
      if (dom.scrollTop(el) + dom.clientHeight(el) >= dom.scrollHeight(el) - 1 || el === dom.body()) continue;
      const at = dom.checkVisibility(el, VISIBLE) ? place(el, how) : {};
      if (!at.piece) continue;
      const locator = jostle.locatorOf(jostle.locators([el])[0]);
      locator.words = `${locator.role} ${locator.css}`; // the text of a scrolling area changes with what it shows
      add({ action: "scroll", words: `scroll down ${locator.words}`, value: "down", ...common(el, locator, at) }, el);
    }
    const page = dom.scroller();
    const whole = page && { piece: { left: -left, top: -top, width: dom.scrollWidth(page), height: dom.scrollHeight(page) } };
    if (page && dom.scrollTop(page) + dom.height(globalThis) < dom.scrollHeight(page) - 1 && !dom.test(/hidden|clip/, property(dom.style(dom.top()), "overflow-y")) && !how.modal) {
      add({ action: "scroll", words: "scroll down the page", value: "down", ...common(dom.top(), PAGE, whole) }, dom.top());
    }
    if (jostle.listeners && page && new List(globalThis, document, dom.body()).some((target) => target && dom.weakGet(jostle.listeners, target)?.has("keydown"))) {
      add({ action: "press", words: "press Escape", value: "Escape", focused: true, ...common(dom.top(), PAGE, whole) }, dom.top());
    }
    tellApart(actions);
    return result;
  };

  jostle.offersOf = (el) => { jostle.actions(); return jostle.begin().offers?.get(el); };
  jostle.described = (el) => standing(el, jostle.locatorOf(jostle.locators([el])[0]));
  jostle.page = { locator: PAGE, element: "html", xpath: "/html" };
  // What is chosen in a list, as it is chosen again.
  jostle.choiceOf = (el) => {
    const options = dom.options(el);
    let index = 0;
    for (let i = 0; i < options.length; i++) {
      if (matches(options[i], ":disabled") || isUnlisted(options[i]) || isUnlisted(dom.parent(options[i]))) continue;
      if (dom.selected(options[i])) return { value: dom.slice(jostle.nameOf(options[i]), 0, 60), index };
      index++;
    }
    return null;
  };

  const isUnlisted = (el) => property(dom.style(el), "display") === "none";
  // From an open list, counted from its first choosable option: that many presses of ArrowDown.
  const chooseOptions = (el, act, locator) => {
    const options = dom.options(el);
    const field = { required: has(el, "required"), value: dom.value.select(el) ?? "" };
    let index = 0;
    for (let i = 0; i < options.length && i < 200; i++) {
      if (matches(options[i], ":disabled") || isUnlisted(options[i]) || isUnlisted(dom.parent(options[i]))) continue;
      if (!dom.selected(options[i])) {
        const label = dom.slice(jostle.nameOf(options[i]), 0, 60);
        act("select", `select "${label}" in ${locator.words}`, { value: label, index, field });
      }
      index++;
    }
  };
  const listOptions = (how, common, add) => {
    const { elements } = scan();
    for (let i = 0; i < elements.length; i++) {
      if (tag(elements[i]) !== "select" || (!dom.multiple(elements[i]) && dom.listSize(elements[i]) <= 1)) continue;
      const options = [];
      const all = dom.options(elements[i]);
      for (let k = 0; k < all.length && k < 200; k++) if (!matches(all[k], ":disabled") && !dom.selected(all[k])) push(options, all[k]);
      const named = jostle.locators(options);
      for (let k = 0; k < options.length; k++) {
        const at = place(options[k], how);
        const locator = at.piece && jostle.locatorOf(named[k]);
        if (locator) add({ action: "click", words: `click ${locator.words}`, ...common(options[k], locator, at) }, options[k]);
      }
    }
  };
  const pairUp = (dragged, drops, how, add) => {
    const named = jostle.locators(drops);
    const targets = [];
    for (let i = 0; i < drops.length; i++) {
      if (dom.checkVisibility(drops[i], VISIBLE) && place(drops[i], how).piece) push(targets, { el: drops[i], locator: jostle.locatorOf(named[i]) });
    }
    for (let i = 0; i < dragged.length; i++) {
      let count = 0;
      for (let k = 0; k < targets.length && count < DROPS; k++) {
        if (targets[k].el === dragged[i].el || dom.isInside(dragged[i].el, targets[k].el) && targets.length > 1) continue;
        count++;
        add({ action: "drag", words: `drag ${dragged[i].locator.words} to ${targets[k].locator.words}`, ...dragged[i].shared, to: targets[k].locator }, dragged[i].el);
      }
    }
  };
  // Two actions with the same words would be one event.
  const tellApart = (actions) => {
    const counts = new SafeMap();
    for (let i = 0; i < actions.length; i++) {
      const nth = (counts.get(actions[i].words) ?? 0) + 1;
      counts.set(actions[i].words, nth);
      if (nth > 1) actions[i].words += ` (#${nth})`;
    }
  };

  // What a person could do now. With `since` set to the version of an earlier answer and nothing changed: {unchanged: true}.
  jostle.actions = ({ cap = CAP, since = null } = {}) => {
    try {
      const state = jostle.begin();
      if (since !== null && since === jostle.version) return { __proto__: null, unchanged: true, version: since };
      if (state.actions?.cap === cap && state.actions.result.painted) return state.actions.result;
      const result = collect(cap);
      state.actions = { cap, result };
      return result;
    } catch (error) {
      return { __proto__: null, version: jostle.version ?? null, painted: true, truncated: false, actions: [], reason: `the page keeps its controls from being listed: ${String(error?.message ?? "")}` };
    }
  };

  const isFilled = (el) => {
    const name = tag(el);
    return dom.value[name] ? dom.value[name](el) !== "" : dom.editable(el) === true && dom.firstChild(el) !== null;
  };
  // Where to press to act on the element: {x, y, box, focused, filled, reason}. A reason means: not possible now.
  // `keyboard`: keys are enough if it has the focus.
  const aim = (locator, keyboard) => {
    const { element, reason } = jostle.find(locator);
    if (!element) return { reason };
    if (!jostle.painted()) return { reason: "nothing has been painted yet" };
    const focused = dom.focused() === element, filled = isFilled(element);
    if (element === dom.top()) return { x: dom.width(globalThis) / 2, y: dom.height(globalThis) / 2, box: [0, 0, dom.width(globalThis), dom.height(globalThis)], focused: true, reason: "" };
    const at = place(element, survey(false));
    const box = at.piece ? [number(at.piece.left), number(at.piece.top), number(at.piece.width), number(at.piece.height)] : null;
    if (at.x !== undefined) return { x: number(at.x), y: number(at.y), box, focused, filled, reason: "" };
    if (keyboard && focused && at.reason !== "it is disabled") return { x: 0, y: 0, box, focused, filled, reason: "" };
    return { reason: at.reason || "it is out of reach", hidden: at.reason === "it is disabled" ? null : at.target ?? element };
  };
  // The same, scrolling to the element if that is needed and helps. The page hears of the scrolling before anything is
  // pressed; of an attempt in vain it hears nothing: whether one was made must not matter.
  const settledPoint = async (locator, options) => jostle.thenless(await awaitable(pointAt(locator, options)));
  jostle.point = (locator, options) => awaitable(settledPoint(locator, options));
  const pointAt = async (locator, { keyboard = false } = {}) => {
    try {
      let { hidden, ...found } = aim(locator, keyboard);
      if (!hidden) return found;
      const before = [];
      for (let at = hidden; at; at = dom.shownParent(at)) push(before, { el: at, left: dom.scrollLeft(at), top: dom.scrollTop(at) });
      dom.scrollIntoView(hidden, { block: "center", inline: "center", behavior: "instant" });
      const moved = dom.some(before, ({ el, left, top }) => dom.scrollLeft(el) !== left || dom.scrollTop(el) !== top);
      found = aim(locator, keyboard);
      if (!moved) return found.reason ? { reason: found.reason } : found;
      if (found.reason) {
        jostle.unseenScroll = true;
        for (let i = 0; i < before.length; i++) dom.scrollTo(before[i].el, { left: before[i].left, top: before[i].top, behavior: "instant" });
      }
      await jostle.nextFrame();
      jostle.unseenScroll = false;
      if (!found.reason) found = aim(locator, keyboard);
      return found.reason ? { reason: found.reason } : found;
    } catch {
      return { reason: "the page keeps the element from being pointed at" };
    }
  };
  // Where an element is seen now: [left, top, width, height], or null. Nothing is scrolled, and nothing is said of whether it can be pressed.
  jostle.whereabouts = (locator) => {
    try {
      const { element } = jostle.find(locator);
      const box = element && aim(locator, true).box;
      return box ? jostle.thenless(box) : null;
    } catch {
      return null;
    }
  };
  // Is an element still to be pointed at where an offer said it was?
  jostle.isAt = (locator, at) => {
    const found = aim(locator, false);
    return found.x === at[0] && found.y === at[1];
  };
  // Of what was offered, the locators that a press meets; to be asked before the page hears of the press.
  const composedPath = dom.take(Event.prototype, "composedPath");
  jostle.meets = (press) => {
    const { offers } = jostle.begin();
    if (!offers) return null; // the pointer's coming has changed the page
    const met = [];
    const path = composedPath(press);
    for (let i = 0; i < path.length; i++) {
      const offered = offers.get(path[i]);
      for (let k = 0; offered && k < offered.length; k++) push(met, offered[k].locator);
    }
    return met;
  };
  // Two or more elements at once, for a drag: all must be in view together.
  jostle.points = (locators) => awaitable(pointsOf(locators));
  const pointsOf = async (locators) => {
    const points = [];
    for (let i = 0; i < locators.length; i++) points[i] = await jostle.point(locators[i]);
    for (let i = 0; i < locators.length; i++) {
      if (points[i].reason) continue;
      const { hidden, ...found } = aim(locators[i], false);
      points[i] = found;
    }
    return jostle.thenless(points);
  };
  // For the frame owner's document: is this frame on top at a point of the viewport, and where does its content begin?
  jostle.isUncovered = (el, x, y) => { try { return dom.at(x, y) === el; } catch { return false; } };
  jostle.contentBox = (el) => {
    try {
      const box = dom.box(el), style = dom.style(el);
      const px = (name) => parseFloat(property(style, name)) || 0;
      const left = px("border-left-width") + px("padding-left"), top = px("border-top-width") + px("padding-top");
      return {
        x: box.left + left, y: box.top + top,
        width: box.width - left - px("border-right-width") - px("padding-right"), height: box.height - top - px("border-bottom-width") - px("padding-bottom"),
        visible: dom.checkVisibility(el, VISIBLE) && inView(box) !== null,
      };
    } catch {
      return null;
    }
  };
  // Fields with a picker of their own (date, color ...) cannot be typed into alike in every locale: the value is set
  // and the events follow that the browser would send. They are not trusted events.
  jostle.fill = (el, value) => {
    try {
      dom.setInputValue(el, value);
      dispatch(el, new Event("input", { bubbles: true, composed: true }));
      dispatch(el, new Event("change", { bubbles: true }));
      return "";
    } catch {
      return "the value could not be set";
    }
  };
}
