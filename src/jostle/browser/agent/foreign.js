// A document of an origin that is not allowed: whatever is pressed or typed there was meant for something else, which the
// page has moved out of the way. Nobody hears of it, and the browser does not act on it.
(jostle) => {
  const { native } = jostle;
  const TYPES = ["pointerdown", "mousedown", "touchstart", "pointerup", "mouseup", "touchend", "click", "auxclick", "dblclick", "contextmenu",
    "keydown", "keypress", "keyup", "beforeinput", "dragstart", "drop", "paste"];
  const { stopImmediatePropagation, preventDefault } = Event.prototype;
  if (jostle.free || !jostle.origins?.length) return;
  const above = [globalThis.origin, ...(location.ancestorOrigins ?? [])];
  // One that has no origin of its own (sandboxed, from data) belongs to the nearest around it that has.
  const owner = above.find((each) => each !== "null");
  if (owner === undefined || jostle.origins.includes(owner)) return;
  const swallow = (event) => {
    if (!event.isTrusted) return; // its own, and nobody can change it
    native.apply(stopImmediatePropagation, event, []);
    native.apply(preventDefault, event, []);
  };
  for (const type of TYPES) native.apply(native.addEventListener, globalThis, [type, swallow, { capture: true, passive: false }]);
}
