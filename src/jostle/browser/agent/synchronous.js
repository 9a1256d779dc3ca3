// A synchronous request freezes the page, or the worker, until it is answered: the driver must know at once.
(jostle) => {
  const { native } = jostle;
  jostle.wrap(globalThis.XMLHttpRequest?.prototype, "open", (original) => ({
    open(method, url, isAsync) {
      const result = native.apply(original, this, arguments);
      const base = globalThis.document?.baseURI ?? location.href;
      if (arguments.length > 2 && !isAsync) jostle.tell("sync", { url: new URL(url, base).href });
      return result;
    },
  }).open);
}
