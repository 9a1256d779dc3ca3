// Who listens to what: registration writes it, dispatch reads it, whether or not anybody listens by then.
// Timers: clearing one writes the event that it would have been.
(jostle) => {
  const { dom, native, access, nodePath, identities } = jostle;
  const { numberOf, textOf, isNode, SafeWeakMap, SafeWeakSet } = identities;
  const pathOf = (target) => (target === globalThis ? "window" : isNode(target) ? nodePath(target) : `object:${numberOf(target)}`);
  const isTarget = (target) => target === globalThis || (typeof target === "object" && target !== null);
  const written = (target, type, listener, site) => {
    if (jostle.unwatched || !isTarget(target)) return;
    const path = pathOf(target);
    access(`handler:${path} ${type}`, true, listener === null ? "null" : textOf(listener), `what listens for ${type} at ${path}`, site);
    if (!isNode(target) && target !== globalThis) overhear(target, type);
  };
  const heard = (target, type) => {
    const path = pathOf(target);
    access(`handler:${path} ${type}`, false, "", `what listens for ${type} at ${path}`, "");
  };
  jostle.handlerWritten = (el, type, site) => written(el, type, dom.attribute(el, `on${type}`), site);

  // What is no node has no path that could be listened at: it is heard itself.
  const overheard = new SafeWeakMap();
  const overhear = (target, type) => {
    let types = overheard.get(target);
    if (!types) overheard.set(target, (types = new dom.SafeSet()));
    if (types.has(type)) return;
    types.add(type);
    native.apply(native.addEventListener, target, [type, () => heard(target, type)]);
  };

  jostle.wrap(EventTarget.prototype, "addEventListener", (original) => ({
    addEventListener(type, listener) {
      if (typeof type === "string" && listener) written(this ?? globalThis, type, listener);
      return native.apply(original, this, arguments);
    },
  }).addEventListener);
  jostle.wrap(EventTarget.prototype, "removeEventListener", (original) => ({
    removeEventListener(type, listener) {
      if (typeof type === "string" && listener) written(this ?? globalThis, type, listener);
      return native.apply(original, this, arguments);
    },
  }).removeEventListener);
  const OWNERS = ["Document", "HTMLElement", "SVGElement", "MathMLElement", "HTMLBodyElement", "HTMLMediaElement", "ShadowRoot", "XMLHttpRequest",
    "XMLHttpRequestEventTarget", "WebSocket", "EventSource", "MessagePort", "BroadcastChannel", "Worker", "FileReader", "IDBRequest", "IDBOpenDBRequest",
    "IDBTransaction", "AbortSignal", "Animation", "MediaQueryList"];
  for (const owner of [globalThis, ...OWNERS.map((name) => globalThis[name]?.prototype)]) {
    for (const name of owner ? dom.ownNames(owner) : []) {
      if (!/^on[a-z]+$/.test(name)) continue;
      jostle.wrapAccessor(owner, name, ({ set }) => ({
        set(value) {
          written(this ?? globalThis, name.slice(2), value ?? null);
          native.apply(set, this ?? globalThis, [value]);
        },
      }));
    }
  }

  // What the browser dispatches, and what scripts do. Everybody on the way could have listened.
  const TYPES = ["click", "dblclick", "auxclick", "contextmenu", "mousedown", "mouseup", "mouseover", "mouseout", "mousemove",
    "pointerdown", "pointerup", "pointerover", "pointerout", "pointermove", "touchstart", "touchend", "keydown", "keyup", "keypress",
    "beforeinput", "input", "change", "submit", "reset", "invalid", "select", "focus", "blur", "focusin", "focusout", "toggle", "scroll", "resize",
    "load", "error", "abort", "DOMContentLoaded", "readystatechange", "hashchange", "popstate", "pageshow", "message",
    "dragstart", "dragend", "dragenter", "dragover", "drop", "paste", "copy", "cut",
    "transitionend", "animationend", "slotchange", "play", "pause", "ended", "canplay", "loadeddata", "loadedmetadata"];
  const dispatched = new SafeWeakSet();
  const dispatch = (event) => {
    if (dispatched.has(event)) return;
    dispatched.add(event);
    const path = event.composedPath();
    for (let i = 0; i < path.length; i++) if (event.bubbles || i === 0 || path[i] === globalThis || path[i] === document) heard(path[i], event.type);
  };
  const listen = (target, type) => native.apply(native.addEventListener, target, [type, dispatch, { capture: true, passive: true }]);
  for (const type of TYPES) listen(globalThis, type);
  jostle.onDocument((document) => { for (const type of ["load", "error", "readystatechange", "DOMContentLoaded"]) listen(document, type); });
  // A picture that is not in the page is heard by nobody but itself.
  const { HTMLImageElement: Picture } = globalThis;
  jostle.wrapAccessor(Picture.prototype, "src", ({ set }) => ({
    set(value) {
      if (!jostle.unwatched) for (const type of ["load", "error"]) listen(this, type);
      native.apply(set, this, [value]);
    },
  }));
  jostle.wrap(EventTarget.prototype, "dispatchEvent", (original) => ({
    dispatchEvent(event) {
      const target = this ?? globalThis;
      if (!jostle.unwatched && isTarget(event) && isTarget(target)) {
        let type = "";
        try { type = dom.take(Event.prototype, "type")(event); } catch { /* no event */ }
        if (type !== "") heard(target, type);
      }
      return native.apply(original, this, arguments);
    },
  }).dispatchEvent);

  // Timers by the number that the page got for them, also those that have fired.
  const armed = new dom.SafeMap();
  jostle.onArmed = (handle, id) => armed.set(handle, id);
  for (const name of ["clearTimeout", "clearInterval"]) {
    jostle.wrap(globalThis, name, (original) => ({
      [name](handle) {
        const id = typeof handle === "number" || typeof handle === "string" ? armed.get(+handle) : undefined;
        if (id !== undefined && !jostle.unwatched) access(`item:${id}`, true, "cleared");
        return native.apply(original, this, arguments);
      },
    })[name]);
  }
}
