// What the user does. A gesture (from pointerdown to click, from keydown to keyup) is one event, decided when it begins; the
// browser does at once what can be done at once: what is typed is in the field, Tab moves the focus, a list opens. Only what
// follows from a click, and sending or clearing a form, waits with the event.
(repair) => {
  if (!repair.about("user")) return;
  const POINTER = ["pointerdown", "mousedown", "touchstart", "pointerup", "mouseup", "touchend", "pointercancel", "dblclick", "click"];
  const KEYS = ["keypress", "keyup", "keydown"];
  const ENTRY = ["beforeinput", "input", "compositionstart", "compositionupdate", "compositionend"];
  const AFTER = ["change", "submit", "reset", "paste", "cut"];
  const HOVER = /^(mouse|pointer)(over|out|enter|leave|move)$/;
  const ACTING = /^(click|submit|reset)$/;
  const asked = new Set(repair.policy.rules.flatMap(({ match }) => match?.types ?? []));
  const hovering = [...asked].filter((type) => HOVER.test(type));
  const touching = 400; // ms until the click after a touch

  let pointer = null, key = null, recent = null;
  const begin = (types, event, element, text = false) => {
    const gesture = { parts: [], open: true, find: repair.remember(element) };
    gesture.event = repair.event("user", { types, element, text, channel: HOVER.test(types[0]) ? "" : "user" });
    gesture.action = repair.emit(gesture.event, () => release(gesture), { ready: () => !gesture.open });
    return gesture;
  };
  const complete = (gesture) => {
    if (!gesture?.open) return;
    gesture.open = false;
    if (gesture.action === "postpone") repair.nextTask().then(repair.drain);
  };
  // Was it done by a script? Then there is more on the stack than us.
  const byScript = () => {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 4;
    const { stack } = new Error();
    Error.stackTraceLimit = stackTraceLimit;
    return typeof stack === "string" && stack.split("\n").length > 3; // its first line is no place
  };

  // The gesture that the event is part of, or begins.
  const gestureOf = (event, element) => {
    const { type } = event;
    const still = (gesture) => (gesture && !gesture.released ? gesture : null);
    if (type === "pointerdown" || (type === "mousedown" && !pointer)) {
      complete(pointer);
      return (recent = pointer = begin(POINTER, event, element));
    }
    if (POINTER.includes(type)) {
      const byKey = type === "click" && (event.pointerId === -1 || event.detail === 0);
      if (!byKey && still(pointer)) return pointer;
      return begin([type], event, element);
    }
    if (type === "keydown") {
      complete(key);
      recent = key = begin([...ENTRY, ...KEYS], event, element, repair.isText(element));
      key.code = event.code;
      const opened = key;
      repair.nextTask().then(() => complete(opened)); // what is typed by it has come; it may be held down for long
      return key;
    }
    if (type === "keyup") return still(key)?.code === event.code ? key : begin([type], event, element, repair.isText(element));
    if (type === "keypress") return still(key) ?? begin([type], event, element, repair.isText(element));
    // What follows from the gesture before it.
    if (still(recent) && (recent.action === "dispatch" || recent.open || type === "change")) return recent;
    const text = ENTRY.includes(type) || type === "paste" || type === "cut" || type === "change";
    const made = begin([type], event, element, text);
    if (type === "beforeinput") recent = made;
    return made;
  };

  const hear = (event) => {
    const { type } = event;
    // Chromium says of the end of some compositions that it is not trusted.
    if ((!event.isTrusted && type !== "compositionend") || repair.releasing) return;
    if ((ENTRY.includes(type) || AFTER.includes(type)) && byScript()) return;
    const element = repair.target(event);
    const modified = type === "click" && (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
    const gesture = gestureOf(event, element);
    if (type === "input") repair.entered?.(element, gesture);
    if (gesture.action !== "dispatch" && !(modified && element.closest?.("a[href]"))) {
      repair.stop(event, ACTING.test(type) && event.cancelable);
      if (gesture.action === "postpone") gesture.parts.push({ event, find: element === gesture.event.element ? gesture.find : repair.remember(element) });
    }
    if (gesture === pointer) {
      if (type === "click" || type === "pointercancel") complete(gesture);
      else if (type === "touchend" || (type === "pointerup" && event.pointerType === "touch")) repair.later(() => complete(gesture), touching);
      else if (type === "mouseup") repair.nextTask().then(() => complete(gesture));
    } else if (gesture !== key) repair.nextTask().then(() => complete(gesture));
  };

  const release = (gesture) => {
    gesture.released = true;
    gesture.open = false;
    for (const { event, find } of gesture.parts) {
      const target = find();
      if (!target) {
        repair.lost(gesture.event);
        return;
      }
      repair.restore?.(target);
      const form = target instanceof HTMLFormElement ? target : null;
      if (event.type === "submit" && form) {
        const { submitter } = event;
        form.requestSubmit(submitter?.isConnected && submitter.form === form ? submitter : undefined);
      } else if (event.type === "reset" && form) form.reset();
      else repair.dispatch(target, repair.copy(event));
    }
  };

  repair.watchRoots();
  for (const type of [...POINTER, ...KEYS, ...ENTRY, ...AFTER, ...hovering]) {
    const hovers = HOVER.test(type);
    repair.listen(globalThis, type, hovers ? (event) => {
      if (!event.isTrusted || repair.releasing) return;
      const gesture = begin([type], event, repair.target(event));
      gesture.open = false;
      if (gesture.action === "dispatch") return;
      repair.stop(event, false);
      gesture.parts.push({ event, find: gesture.find });
    } : hear, { capture: true, passive: false });
  }
}
