// CSS transitions and animations: stopped at their start; their end is an event like a timer's.
(jostle) => {
  const { native, clock } = jostle;
  const known = new WeakSet();
  const all = Document.prototype.getAnimations;
  const label = (animation) => {
    const name = animation.transitionProperty ? `transition of ${animation.transitionProperty}` : `animation ${animation.animationName ?? animation.id ?? ""}`.trim();
    const target = animation.effect?.target;
    return `end of ${name} on ${target ? jostle.label(target) : "?"}`;
  };
  // Called at rest. Returns true when something is new.
  jostle.stopAnimations = () => {
    if (jostle.free || !all) return false;
    let found = false;
    for (const animation of native.apply(all, document, [])) {
      if (known.has(animation) || animation.playState !== "running") continue;
      known.add(animation);
      found = true;
      try {
        const end = Number(animation.effect?.getComputedTiming().endTime ?? 0);
        animation.pause();
        animation.currentTime = 0;
        if (!Number.isFinite(end)) continue; // an endless one stands still
        const id = jostle.hold({ kind: "animation", what: label(animation), delay: end, due: clock.now + end }, () => {
          jostle.frameWanted = true;
          try { animation.finish(); } catch { /* it was replaced meanwhile */ }
        });
        native.apply(native.addEventListener, animation, ["cancel", () => jostle.unhold(id)]);
      } catch { /* bound to a scroll timeline: it has no time of its own */ }
    }
    return found;
  };
}
