// Watching a person (or a script with trusted input): each thing done, told in the words of what could be done.
(jostle) => {
  const { native, dom } = jostle;
  const KEYS = /^(Enter|Escape|Tab|Arrow(Up|Down|Left|Right)|PageUp|PageDown|Home|End|Delete|Backspace|F\d+| )$/;
  const EDITING = /^(Arrow(Left|Right)|Home|End|Delete|Backspace| )$/; // part of typing
  const BURST_MS = 400;
  const PAUSE_MS = 1000; // whoever types on after so long has done something else meanwhile: waited for what it brings
  const HOVERS = ["mouseover", "mouseenter", "pointerover", "pointerenter"];
  const HEARD = {
    __proto__: null,
    click: ["click", "mousedown", "mouseup", "pointerdown", "pointerup"],
    dblclick: ["dblclick", "click"],
    rightclick: ["contextmenu"],
    hover: HOVERS,
    press: ["keydown", "keyup", "keypress", "click", "submit"],
    scroll: ["scroll", "wheel"],
    drag: ["drop", "dragstart", "dragover"],
  };
  const FIELDS = ["input", "change", "keydown", "keyup", "keypress", "blur", "focusout", "click"];
  const NAMES = { __proto__: null, " ": "Space" };

  jostle.painted = () => true; // a person acts on what is seen; the browser tells of the first paint later

  const origin = (event) => event.composedPath()[0];
  const isText = (el) => {
    const name = dom.tag(el);
    return name === "textarea" || dom.editable(el) === true || (name === "input" && dom.test(/^(text|search|email|url|tel|password|number)$/, dom.type(el)));
  };
  const valueOf = (el) => dom.value[dom.tag(el)]?.(el) ?? el.textContent;
  // Does JavaScript of the page hear of it?
  const hears = (path, types) => {
    for (const node of path) {
      const known = dom.weakGet(jostle.listeners, node);
      for (const type of types) {
        if (known && dom.setHas(known, type)) return true;
        if (node.nodeType === 1 ? dom.has(node, `on${type}`) || typeof node[`on${type}`] === "function" : typeof node?.[`on${type}`] === "function") return true;
      }
    }
    return false;
  };
  const tell = (type, offer, path, more) => {
    const { at, offscreen, focused, box, ...action } = offer;
    const ran = hears(path, HEARD[offer.action] ?? FIELDS);
    jostle.tell(type, { did: { ...action, ...more, ran }, title: document.title, address: location.href });
  };
  const did = (offer, path, more = {}) => {
    if (paused) return;
    tell("did", offer, path, more);
    count++;
    badge?.show();
  };
  // What can be done with the innermost element around here that anything can be done with.
  const around = (el) => {
    for (let at = el; at && at.nodeType === 1; at = dom.shownParent(at)) {
      const offers = jostle.offersOf(at);
      if (offers) return { el: at, offers };
    }
    return null;
  };
  const isField = (found) => found?.offers.some(({ action }) => dom.test(/^(check|fill|select|type|upload)$/, action)) ?? false;
  const offer = (found, action) => found?.offers.find((each) => each.action === action);
  const named = (el, action, words) => ({ ...jostle.described(el), action, words: `${words} ${jostle.locatorOf(jostle.locators([el])[0]).words}` });

  let paused = false, count = 0, badge = null;
  let down = null; // what the mouse was pressed on, before the page heard of it
  let typing = null;
  let keyed = -Infinity;
  let hovered = null;
  let wheeled = -Infinity;
  let dragged = null;
  const flush = (value = typing && valueOf(typing.el)) => {
    if (!typing) return;
    const { offer, path, before } = typing;
    typing = null;
    if (value !== before) did(offer, path, { value });
  };

  const on = (type, run) => native.apply(native.addEventListener, globalThis, [type, (event) => {
    // A tool sets a list or a date from outside: the change is not trusted, but no script of the page has made it.
    if (!event.isTrusted && !(type === "change" && jostle.site() === "?")) return;
    if (badge?.takes(event)) return;
    jostle.begin();
    try { run(event, origin(event), event.composedPath()); } catch (error) { jostle.tell("unseen", { why: String(error) }); }
  }, { capture: true, passive: true }]);

  on("pointerdown", (event, el) => {
    if (typing && typing.el !== el) flush();
    down = el.nodeType === 1 ? { el, found: around(el), at: native.now() } : null;
  });
  on("click", (event, el, path) => {
    if (event.detail === 0 && native.now() - keyed < 1000) return; // the browser's answer to a key
    flush();
    const pressed = down?.el === el ? down.found : around(el);
    const clicked = offer(pressed, "click");
    if (clicked) did(clicked, path);
    else if (!isField(pressed) && hears(path, HEARD.click)) did(named(el, "click", "click"), path); // heard by one further out
  });
  on("dblclick", (event, el, path) => {
    const twice = offer(around(el), "dblclick") ?? (hears(path, ["dblclick"]) ? named(el, "dblclick", "double-click") : null);
    if (twice) did(twice, path, { instead: 2 });
  });
  on("contextmenu", (event, el, path) => {
    const right = offer(around(el), "rightclick") ?? (hears(path, ["contextmenu"]) ? named(el, "rightclick", "right-click") : null);
    if (right) did(right, path);
  });
  on("mouseover", (event, el, path) => {
    let at = el;
    while (at && at.nodeType === 1 && !hears([at], HOVERS)) at = dom.shownParent(at);
    if (at === hovered) return;
    hovered = at;
    const over = at && at.nodeType === 1 && offer(around(at), "hover");
    if (over) did(over, path);
  });
  on("wheel", (event, el, path) => {
    const burst = native.now() - wheeled < BURST_MS;
    wheeled = native.now();
    if (burst || event.deltaY <= 0) return;
    const scroll = offer(around(el), "scroll") ?? offer({ offers: jostle.offersOf(dom.top()) ?? [] }, "scroll");
    if (scroll) { flush(); did(scroll, path); }
  });
  on("beforeinput", (event, el, path) => {
    if (!isText(el)) return;
    const now = native.now();
    const after = typing?.el === el && now - typing.at > PAUSE_MS;
    if (typing?.el !== el || after) {
      if (after) flush(typing.value); // not what a script has made of it since
      else flush();
      typing = { el, path, before: valueOf(el), offer: offer(around(el), "type") ?? { ...named(el, "type", "type in"), field: {} } };
    }
    typing.at = now;
  });
  // Should the browser be gone before it is known that this was all, this is what was typed.
  on("input", (event, el) => {
    if (typing?.el !== el) return;
    typing.value = valueOf(el);
    if (!paused) tell("typing", typing.offer, typing.path, { value: typing.value });
  });
  on("focusout", (event, el) => { if (typing?.el === el) flush(); });
  on("change", (event, el, path) => {
    const name = dom.tag(el), type = name === "input" ? dom.type(el) : name;
    if (isText(el)) return flush();
    flush();
    const described = jostle.described(el);
    const words = jostle.locatorOf(jostle.locators([el])[0]).words;
    const listed = (test) => (down?.found?.el === el ? down.found.offers.find(test) : null);
    if (name === "select") {
      const choice = jostle.choiceOf(el);
      const offered = choice && listed(({ action, index }) => action === "select" && index === choice.index);
      if (choice) did(offered ?? { ...described, action: "select", words: `select "${choice.value}" in ${words}`, ...choice }, path);
    } else if (type === "checkbox" || type === "radio") {
      did(listed(({ action }) => action === "check") ?? { ...described, action: "check", words: `${dom.checked(el) ? "check" : "uncheck"} ${words}`, value: String(dom.checked(el)) }, path);
    } else if (type === "file") did({ ...described, action: "upload", words: `upload to ${words}` }, path);
    else if (name === "input") did({ ...described, action: "fill", words: `fill in ${words}`, field: { type } }, path, { value: valueOf(el) });
  });
  on("keydown", (event, el, path) => {
    const shortcut = event.ctrlKey || event.metaKey || event.altKey;
    keyed = native.now();
    if (event.isComposing || !(shortcut ? event.key.length === 1 || dom.test(KEYS, event.key) : dom.test(KEYS, event.key))) return;
    const text = el.nodeType === 1 && isText(el);
    if (text && (dom.test(EDITING, event.key) || shortcut && dom.test(/^[acvxyz]$/i, event.key) || (event.key === "Enter" && dom.tag(el) !== "input"))) return;
    if (event.key === " " && el === document.body) return;
    flush();
    const held = [event.ctrlKey && "Control", event.altKey && "Alt", event.shiftKey && "Shift", event.metaKey && "Meta"].filter(Boolean);
    const value = [...held, NAMES[event.key] ?? (event.key.length === 1 ? event.key.toUpperCase() : event.key)].join("+");
    const whole = el === document.body || el === document.documentElement;
    const place = whole ? { ...jostle.page, words: `press ${value}` } : named(el, "press", `press ${value} ${text ? "in" : "on"}`);
    did({ ...place, action: "press", value }, path);
  });
  on("dragstart", (event, el) => { dragged = around(el); });
  on("drop", (event, el, path) => {
    const drops = dragged?.offers.filter((each) => each.action === "drag") ?? [];
    for (let at = el; at && at.nodeType === 1; at = dom.shownParent(at)) {
      const { css } = jostle.described(at).locator;
      const drag = drops.find((each) => each.to.css === css);
      if (drag) return did(drag, path);
    }
  });
  // What was typed when the page goes away belongs to the session.
  on("pagehide", () => flush());
  jostle.flush = flush;

  // A small sign in the corner: recording, how much, pause, mark, stop. In a shadow root, so that page and sign do not meet.
  jostle.badge = (settings = {}) => {
    if (self !== top || badge || !document.documentElement) return;
    paused = settings.paused ?? false;
    count = settings.count ?? 0;
    const host = document.createElement("jostle-badge");
    const root = host.attachShadow({ mode: "closed" });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`:host { all: initial; position: fixed; right: 12px; bottom: 12px; z-index: 2147483647; }
      div { display: flex; gap: 2px; align-items: center; font: 12px/1 system-ui, sans-serif; color: #fff; background: #1c2330e6; border-radius: 16px; padding: 4px 6px 4px 10px; box-shadow: 0 1px 4px #0006; opacity: .75; }
      div:hover { opacity: 1; } i { width: 8px; height: 8px; border-radius: 50%; background: #ff4d4f; margin-right: 4px; } .paused i { background: #999; }
      span { min-width: 1.5em; margin-right: 4px; } button { all: unset; cursor: pointer; padding: 4px 6px; border-radius: 10px; } button:hover { background: #fff3; }`);
    root.adoptedStyleSheets = [sheet];
    const make = (tag, text, title) => Object.assign(document.createElement(tag), { textContent: text, title: title ?? "" });
    const box = make("div", ""), dot = make("i", ""), number = make("span", "");
    const pause = make("button", "", "Pause or go on: what is done meanwhile is not recorded");
    const mark = make("button", "✎", "Mark this moment in the recording");
    const stop = make("button", "■", "Stop and write the recording");
    box.append(dot, number, pause, mark, stop);
    root.append(box);
    const show = () => {
      number.textContent = String(count);
      pause.textContent = paused ? "▶" : "❚❚";
      box.className = paused ? "paused" : "";
    };
    const press = (button) => {
      if (button === pause) { flush(); paused = !paused; jostle.tell("badge", { pressed: paused ? "pause" : "resume" }); }
      else if (button === mark) { flush(); jostle.tell("badge", { pressed: "mark" }); }
      else if (button === stop) { flush(); jostle.tell("badge", { pressed: "stop" }); }
      show();
    };
    badge = {
      show,
      takes: (event) => {
        if (event.target !== host) return false;
        event.stopImmediatePropagation();
        if (event.type === "click") press(root.elementFromPoint(event.clientX, event.clientY));
        return true;
      },
    };
    show();
    document.documentElement.append(host);
  };
  native.apply(native.addEventListener, globalThis, ["DOMContentLoaded", () => { if (self === top) jostle.tell("badge", { pressed: "" }); }]);
}
