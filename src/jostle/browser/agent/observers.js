// IntersectionObserver and ResizeObserver: the browser calls them after a frame; their callbacks wait for their turn.
(jostle) => {
  const { native, clock } = jostle;
  const observing = new Set(); // those with something to observe: the browser must paint to serve them
  jostle.observing = () => observing.size > 0;
  let made = 0;
  for (const [name, words] of [["IntersectionObserver", "intersection"], ["ResizeObserver", "resize"]]) {
    const Original = jostle.wrapConstructor(name, (Target, args, newTarget) => {
      const callback = args[0];
      if (typeof callback !== "function") return native.construct(Target, args, newTarget);
      const what = `${words} observer at ${jostle.site()}`;
      const channel = `${what} #${++made}`;
      args[0] = function (entries, observer) {
        if (jostle.free) return native.apply(callback, observer, [entries, observer]);
        jostle.hold({ kind: "observer", what, channel }, () => {
          try { native.apply(callback, observer, [entries, observer]); } catch (error) { jostle.surface(error); }
        });
      };
      return native.construct(Target, args, newTarget);
    });
    if (!Original) continue;
    jostle.wrap(Original.prototype, "observe", (original) => ({
      observe() {
        native.apply(original, this, arguments);
        observing.add(this);
        jostle.frameWanted = true;
      },
    }).observe);
    jostle.wrap(Original.prototype, "disconnect", (original) => ({
      disconnect() {
        observing.delete(this);
        return native.apply(original, this, arguments);
      },
    }).disconnect);
  }
  if (globalThis.IntersectionObserverEntry) {
    jostle.wrapAccessor(IntersectionObserverEntry.prototype, "time", ({ get }) => ({ get() { return jostle.free ? native.apply(get, this, []) : clock.now; } }));
  }

  // What a PerformanceObserver is told of, real durations and paints, differs in every run: only the page's own marks pass.
  const steady = new Set(["mark", "measure"]);
  const Performer = jostle.wrapConstructor("PerformanceObserver", (Target, args, newTarget) => {
    const callback = args[0];
    if (typeof callback !== "function") return native.construct(Target, args, newTarget);
    const what = `performance observer at ${jostle.site()}`;
    const channel = `${what} #${++made}`;
    args[0] = function (...told) {
      if (jostle.free) return native.apply(callback, this, told);
      jostle.hold({ kind: "observer", what, channel }, () => {
        try { native.apply(callback, this, told); } catch (error) { jostle.surface(error); }
      });
    };
    return native.construct(Target, args, newTarget);
  });
  if (Performer) {
    jostle.wrap(Performer.prototype, "observe", (original) => ({
      observe(options) {
        const types = options?.entryTypes ? [...options.entryTypes] : options?.type === undefined ? [] : [String(options.type)];
        const dropped = jostle.free ? [] : types.filter((type) => !steady.has(type));
        if (!dropped.length) return native.apply(original, this, arguments);
        jostle.limit(`a PerformanceObserver is told nothing of ${dropped.join(", ")}: it differs in every run`);
        const kept = types.filter((type) => steady.has(type));
        if (kept.length) native.apply(original, this, [{ entryTypes: kept }]);
      },
    }).observe);
  }
}
