// CSS transitions and animations: they stand still (the driver stops the document's timeline); their end is an event like a timer's.
// Those that end together end in one frame: they are one event.
(jostle) => {
  const { native, clock } = jostle;
  const holding = new Map(); // animation -> {id, ending}: what is held, and all that end with it
  const all = Document.prototype.getAnimations;
  let smil = [];
  jostle.onDocument((document) => { smil = new List("animate", "animateTransform", "animateMotion", "set").map((name) => jostle.dom.byTag(document, name)); });
  const label = (animation) => {
    const name = animation.transitionProperty ? `transition of ${animation.transitionProperty}` : jostle.dom.trim(`animation ${animation.animationName ?? animation.id ?? ""}`);
    const target = animation.effect?.target;
    return `end of ${name} on ${target ? jostle.label(target) : "?"}${animation.effect?.pseudoElement ?? ""}`;
  };
  const timeLeft = (animation) => {
    const { endTime } = animation.effect.getComputedTiming();
    const { playbackRate } = animation;
    const done = Number(animation.currentTime ?? 0);
    return playbackRate > 0 ? (Number(endTime) - done) / playbackRate : playbackRate < 0 ? done / -playbackRate : Infinity;
  };
  const finish = (ending) => {
    jostle.frameWanted = true; // their events come with the next frame
    for (const animation of ending) {
      holding.delete(animation);
      try { animation.finish(); } catch { /* it was changed meanwhile so that it has no end */ }
    }
  };
  // Called at rest. Returns true when something is new.
  jostle.stopAnimations = jostle.unseen(() => {
    if (jostle.free || !all) return false;
    const running = new Set();
    const fresh = new Map(); // time left -> animations
    const present = native.apply(all, document, []);
    for (let i = 0; i < present.length; i++) {
      const animation = present[i];
      if (animation.playState !== "running" || !animation.effect || animation.timeline !== document.timeline) continue;
      running.add(animation);
      if (holding.has(animation)) continue;
      const left = timeLeft(animation);
      if (!Number.isFinite(left)) continue; // an endless one stands still
      (fresh.get(left) ?? fresh.set(left, new Set()).get(left)).add(animation);
    }
    fresh.forEach((ending, left) => {
      let first = null;
      for (const each of ending) first ??= each;
      const what = ending.size > 1 ? `${label(first)} and ${ending.size - 1} more` : label(first);
      const id = jostle.hold({ kind: "animation", what, delay: left, due: clock.now + left }, () => finish(ending));
      for (const animation of ending) holding.set(animation, { id, ending });
    });
    holding.forEach(({ id, ending }, animation) => {
      if (running.has(animation)) return;
      holding.delete(animation);
      ending.delete(animation);
      if (!ending.size) jostle.unhold(id);
    });
    for (const elements of smil) for (let i = 0; i < elements.length; i++) {
      const svg = elements[i].ownerSVGElement;
      if (svg?.animationsPaused?.() !== false) continue;
      svg.pauseAnimations();
      svg.setCurrentTime(0);
      jostle.limit("an animation inside of an SVG (SMIL) stands at its beginning");
    }
    return fresh.size > 0;
  });
}
