// Promises that events share: who waits for one depends on the event in which it was settled. That is known of those that
// `then`, `catch` and `finally` give back. Nothing is attached to a promise that the page has not attached itself, for then
// nobody would hear any more that it failed.
(jostle) => {
  const { native, identities, awaited, settled } = jostle;
  const { proxies } = identities;
  const isPrototypeOf = Function.prototype.bind.bind(Function.prototype.call)(Object.prototype.isPrototypeOf);
  const { prototype } = native.Promise;
  const isPromise = (value) => typeof value === "object" && value !== null && !proxies.has(value) && isPrototypeOf(prototype, value);
  const WAITING = { __proto__: null, then: 1, catch: 1, finally: 1 };

  // In rewritten scripts it is known where somebody waits.
  jostle.watchedLike(prototype, (record, promise, key, mode, site) => {
    if (mode === 5 && WAITING[key]) awaited(promise, site);
    jostle.property(record, promise, key, mode, site);
  });
  jostle.sink.awaited = (value, site) => { if (isPromise(value)) awaited(value, site); };

  const pass = (value) => value;
  const fail = (reason) => { throw reason; };
  jostle.wrap(prototype, "then", (original) => ({
    then(fulfilled, rejected) {
      if (jostle.unwatched || !isPromise(this)) return native.apply(original, this, arguments);
      awaited(this, "");
      let made;
      const over = () => settled(made);
      const noting = (handler, otherwise) => (value) => {
        let result;
        try {
          result = typeof handler === "function" ? native.apply(handler, undefined, [value]) : otherwise(value);
        } catch (error) {
          over();
          throw error;
        }
        // What it waits for is attended to by the browser, so that to attach something changes nothing.
        if (isPromise(result)) native.apply(original, result, [over, over]);
        else over();
        return result;
      };
      made = native.apply(original, this, [noting(fulfilled, pass), noting(rejected, fail)]);
      return made;
    },
  }).then);
}
