// What lies below the mouse while it rests: when that has become another element, or a finger has tapped elsewhere, the
// browser tells the page with the next frame, which may be in this event or in a later one. An event is not over before.
(jostle) => {
  const { dom, native } = jostle;
  const elementAt = dom.take(Document.prototype, "elementFromPoint");
  const x = dom.take(MouseEvent.prototype, "clientX"), y = dom.take(MouseEvent.prototype, "clientY");
  const related = dom.take(MouseEvent.prototype, "relatedTarget"), kind = dom.take(globalThis.PointerEvent?.prototype, "pointerType");
  let rests = null; // where, in this document; null when it is elsewhere
  let told = null; // what the page was told lies there
  const listen = (type, run) => native.apply(native.addEventListener, globalThis, [type, (event) => { if (event.isTrusted) run(event); }, { capture: true, passive: true }]);
  for (const type of ["pointerover", "pointermove", "pointerdown"]) {
    listen(type, (event) => {
      if (kind(event) !== "mouse") return;
      rests = { x: x(event), y: y(event) };
      told = dom.target(event);
    });
  }
  listen("mouseover", (event) => { told = dom.target(event); }); // a tap has one, too
  listen("pointerout", (event) => { if (kind(event) === "mouse" && related(event) === null) rests = null; });

  const below = () => (rests && elementAt(document, rests.x, rests.y)) ?? null;
  // Whether the page is still to be told of what lies there now.
  let waited = {}; // in vain, for what, and how the page was then: the browser looks again when the page has changed
  jostle.pointerBehind = jostle.unseen(() => {
    const element = below();
    if (element === null || element === told) return false;
    return !(waited.element === element && waited.told === told && waited.version === jostle.version);
  });
  // It had time enough.
  jostle.pointerCaughtUp = jostle.unseen(() => { waited = { __proto__: null, element: below(), told, version: jostle.version }; });
}
