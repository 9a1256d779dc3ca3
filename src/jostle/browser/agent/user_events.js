// What the user does, before the page hears of it: parts that other rooms add (see `AgentPart`) may let it pass, drop it
// or postpone it. There only with such a part; listens only once one of them asks to.
//
// `jostle.beforeUserEvent(hook)`: the hook is given each trusted event of the user. It returns
//   nothing      let it pass;
//   "drop"       the page never hears of it, and the browser does not act on it either;
//   a promise    postponed: the page hears of it once that is fulfilled, and never if it is rejected.
// The first hook that returns something decides. Each event of a gesture is decided for itself: whoever postpones
// `pointerdown` has to postpone `click` too, if it is to come after it. Events that wait for the same promise come in the
// order in which they were done; what follows from one of them is not decided again.
//
// What the platform does not allow:
// - A postponed event is dispatched again as it was, but its `isTrusted` is false; a click is a copy of it.
// - The browser acts on a postponed click, submit or reset when the page has heard of it (a link is followed, a box is
//   ticked, a form sent), but opens no window and no file dialog once the user's activation has expired (some seconds).
//   On all else it acts at once: what is typed is in the field, what is pressed has the focus, a wheel scrolls. The page
//   hears of it later, and then prevents nothing.
// - Touch and wheel cannot be kept from scrolling, only from the page. What is dropped or pasted can be read only while
//   it happens: it passes, or is dropped, but is never postponed.
// - In a closed shadow tree, the event comes again to its host.
(jostle) => {
  const { native } = jostle;
  const TYPES = ["pointerdown", "mousedown", "touchstart", "pointerup", "mouseup", "touchend", "click", "auxclick", "dblclick", "contextmenu", "wheel",
    "keydown", "keypress", "keyup", "beforeinput", "input", "change", "submit", "reset", "dragstart", "drop", "copy", "cut", "paste"];
  const UNSTOPPABLE = /^(touch|wheel)/;
  const FLEETING = /^(drag|drop$|copy$|cut$|paste$)/;
  const LATER = /^(click|submit|reset)$/; // the browser acts on these when they are dispatched again
  const { composedPath, stopImmediatePropagation, preventDefault } = Event.prototype;
  const { requestSubmit, reset } = HTMLFormElement.prototype;
  const { PointerEvent: Pointer, MouseEvent: Mouse } = globalThis;
  const hooks = [];
  let again = 0; // what happens now follows from a postponed event

  const decided = (event) => {
    for (const hook of hooks) {
      const verdict = hook(event);
      if (verdict !== undefined) return verdict;
    }
    return undefined;
  };
  const keep = (event, acting) => {
    native.apply(stopImmediatePropagation, event, []);
    if (acting) native.apply(preventDefault, event, []);
  };
  const deliver = (event, target) => {
    again++;
    try {
      if (event.type === "submit") {
        try { native.apply(requestSubmit, target, event.submitter ? [event.submitter] : []); } catch { native.apply(requestSubmit, target, []); }
      } else if (event.type === "reset") native.apply(reset, target, []);
      else if (event.type === "click") {
        // Of an event that it has acted on, a box takes no second notice: a copy.
        const Click = event instanceof Pointer ? Pointer : Mouse;
        native.apply(native.dispatchEvent, target, [new Click("click", event)]);
      } else {
        native.apply(native.initEvent, event, [event.type, event.bubbles, event.cancelable]);
        native.apply(native.dispatchEvent, target, [event]);
      }
    } finally { again--; }
  };
  const postpone = (event, until) => {
    const target = native.apply(composedPath, event, [])[0];
    const arrive = () => {
      const done = jostle.track("a postponed event");
      jostle.later(() => {
        done();
        if (target.isConnected !== false) deliver(event, target);
        else jostle.limit(`a postponed ${event.type} came too late: its element is gone`);
      });
    };
    native.apply(native.then, until, [arrive, () => {}]);
  };
  const decide = (event) => {
    if (!event.isTrusted || again) return;
    const verdict = decided(event);
    if (verdict === "drop") keep(event, true);
    else if (verdict instanceof native.Promise) {
      if (FLEETING.test(event.type)) return jostle.limit(`${event.type} cannot be postponed: it was let pass`);
      keep(event, LATER.test(event.type));
      postpone(event, verdict);
    }
  };

  const listen = () => {
    if (!hooks.length) return;
    for (const type of TYPES) native.apply(native.addEventListener, globalThis, [type, decide, { capture: true, passive: UNSTOPPABLE.test(type) }]);
  };
  jostle.beforeUserEvent = (hook) => { if (hooks.push(hook) === 1) listen(); };
  // A document that is opened anew loses all listeners, those of its window too.
  for (const name of ["open", "write", "writeln"]) {
    jostle.wrap(Document.prototype, name, (original) => ({
      [name]() {
        const result = native.apply(original, this, arguments);
        if (this === document) listen();
        return result;
      },
    })[name]);
  }
}
