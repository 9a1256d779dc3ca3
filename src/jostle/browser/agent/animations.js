// CSS transitions and animations: they stand still (the driver stops the document's timeline); their end is an event like a timer's.
(jostle) => {
  const { native, clock } = jostle;
  const holding = new Map(); // animation -> held id
  const all = Document.prototype.getAnimations;
  let smil = [];
  jostle.onDocument((document) => { smil = ["animate", "animateTransform", "animateMotion", "set"].map((name) => document.getElementsByTagName(name)); });
  const label = (animation) => {
    const name = animation.transitionProperty ? `transition of ${animation.transitionProperty}` : `animation ${animation.animationName ?? animation.id ?? ""}`.trim();
    const target = animation.effect?.target;
    return `end of ${name} on ${target ? jostle.label(target) : "?"}${animation.effect?.pseudoElement ?? ""}`;
  };
  const timeLeft = (animation) => {
    const { endTime } = animation.effect.getComputedTiming();
    const { playbackRate } = animation;
    const done = Number(animation.currentTime ?? 0);
    return playbackRate > 0 ? (Number(endTime) - done) / playbackRate : playbackRate < 0 ? done / -playbackRate : Infinity;
  };
  const finish = (animation) => {
    jostle.frameWanted = true; // its events come with the next frame
    holding.delete(animation);
    try { animation.finish(); } catch { /* it was changed meanwhile so that it has no end */ }
  };
  // Called at rest. Returns true when something is new.
  jostle.stopAnimations = () => {
    if (jostle.free || !all) return false;
    const running = new Set();
    let found = false;
    for (const animation of native.apply(all, document, [])) {
      if (animation.playState !== "running" || !animation.effect || animation.timeline !== document.timeline) continue;
      running.add(animation);
      if (holding.has(animation)) continue;
      const left = timeLeft(animation);
      if (!Number.isFinite(left)) continue; // an endless one stands still
      found = true;
      holding.set(animation, jostle.hold({ kind: "animation", what: label(animation), delay: left, due: clock.now + left }, () => finish(animation)));
    }
    for (const [animation, id] of holding) {
      if (running.has(animation)) continue;
      holding.delete(animation);
      jostle.unhold(id);
    }
    for (const elements of smil) for (const { ownerSVGElement: svg } of elements) {
      if (svg?.animationsPaused?.() !== false) continue;
      svg.pauseAnimations();
      svg.setCurrentTime(0);
      jostle.limit("an animation inside of an SVG (SMIL) stands at its beginning");
    }
    return found;
  };
}
