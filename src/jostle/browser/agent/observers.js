// IntersectionObserver and ResizeObserver: the browser calls them after a frame; their callbacks wait for their turn.
(jostle) => {
  const { native } = jostle;
  jostle.observing = 0;
  for (const [name, words] of [["IntersectionObserver", "intersection"], ["ResizeObserver", "resize"]]) {
    jostle.wrapConstructor(name, (Target, [callback, ...rest], newTarget) => {
      if (typeof callback !== "function") return native.construct(Target, [callback, ...rest], newTarget);
      jostle.observing++;
      const what = `${words} observer at ${jostle.site()}`;
      const channel = `${what} #${jostle.observing}`;
      return native.construct(Target, [function (entries, observer) {
        if (jostle.free) return native.apply(callback, observer, [entries, observer]);
        jostle.hold({ kind: "observer", what, channel }, () => {
          try { native.apply(callback, observer, [entries, observer]); } catch (error) { jostle.surface(error); }
        });
      }, ...rest], newTarget);
    });
  }
}
