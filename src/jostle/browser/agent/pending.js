// Work the browser does on its own for the page (reading a body, decoding, encrypting, a database): an event is not over before it.
(jostle) => {
  const { native } = jostle;
  const pending = (jostle.pending = new Set());
  const track = (what) => {
    const token = { what, stale: false };
    pending.add(token);
    return () => { if (pending.delete(token)) jostle.activity++; };
  };
  const trackPromises = (owner, names, words) => {
    for (const name of names) {
      jostle.wrap(owner, name, (original) => ({
        [name]() {
          const result = native.apply(original, this, arguments);
          if (result instanceof native.Promise) {
            const done = track(`${words}.${name}()`);
            native.apply(native.then, result, [done, done]);
          }
          return result;
        },
      })[name]);
    }
  };
  const bodies = ["arrayBuffer", "blob", "bytes", "formData", "json", "text"];
  trackPromises(Response.prototype, bodies, "response");
  trackPromises(Request.prototype, bodies, "request");
  trackPromises(Blob.prototype, ["arrayBuffer", "bytes", "text"], "blob");
  trackPromises(globalThis, ["createImageBitmap"], "window");
  if (globalThis.SubtleCrypto) trackPromises(SubtleCrypto.prototype, ["decrypt", "deriveBits", "deriveKey", "digest", "encrypt", "exportKey", "generateKey", "importKey", "sign", "unwrapKey", "verify", "wrapKey"], "crypto.subtle");
  if (globalThis.WebAssembly) trackPromises(WebAssembly, ["compile", "instantiate"], "WebAssembly");
  if (globalThis.CacheStorage) trackPromises(CacheStorage.prototype, ["open", "match", "has", "keys", "delete"], "caches");
  if (globalThis.Cache) trackPromises(Cache.prototype, ["match", "matchAll", "keys", "delete"], "cache");
  trackPromises(ReadableStreamDefaultReader.prototype, ["read"], "stream reader");

  for (const name of ["readAsText", "readAsDataURL", "readAsArrayBuffer", "readAsBinaryString"]) {
    jostle.wrap(FileReader.prototype, name, (original) => ({
      [name]() {
        const done = track(`FileReader.${name}()`);
        native.apply(native.addEventListener, this, ["loadend", done, { once: true }]);
        return native.apply(original, this, arguments);
      },
    })[name]);
  }
  if (globalThis.IDBFactory) {
    const until = (object, what, types) => {
      const done = track(what);
      for (const type of types) native.apply(native.addEventListener, object, [type, done]);
      return object;
    };
    for (const name of ["open", "deleteDatabase"]) {
      jostle.wrap(IDBFactory.prototype, name, (original) => ({
        [name]() { return until(native.apply(original, this, arguments), `indexedDB.${name}()`, ["success", "error", "blocked"]); },
      })[name]);
    }
    jostle.wrap(IDBDatabase.prototype, "transaction", (original) => ({
      transaction() { return until(native.apply(original, this, arguments), "a database transaction", ["complete", "error", "abort"]); },
    }).transaction);
  }
  // Going back or forward within a page is answered by the browser's main process.
  for (const name of ["back", "forward", "go"]) {
    jostle.wrap(History.prototype, name, (original) => ({
      [name]() {
        const done = track(`history.${name}()`);
        native.apply(native.addEventListener, globalThis, ["popstate", done, { once: true }]);
        native.apply(native.addEventListener, globalThis, ["pagehide", done, { once: true }]);
        native.apply(native.setTimeout, globalThis, [done, 150]); // the ends of history and a navigation give no sign
        return native.apply(original, this, arguments);
      },
    })[name]);
  }
  // A synchronous request freezes the page until it is answered: the driver must know at once.
  jostle.wrap(XMLHttpRequest.prototype, "open", (original) => ({
    open(method, url, isAsync) {
      const result = native.apply(original, this, arguments);
      if (arguments.length > 2 && !isAsync) jostle.tell("sync", { url: new URL(url, document.baseURI).href });
      return result;
    },
  }).open);
}
