// Work the browser does on its own for the page (reading a body, decoding, encrypting, a database): an event is not over before it.
(jostle) => {
  const { native } = jostle;
  const LONG_MS = 1500; // JavaScript that runs longer is the driver's to bound
  const pending = (jostle.pending = new Set());

  // Begin something; call the result when it is over. `wait`: how long an event may wait for it, in real milliseconds.
  // `sure`: it is known to end, so that not ending in time is worth a word.
  const track = (jostle.track = (what, { wait = LONG_MS, sure = true } = {}) => {
    const token = { what, sure, until: native.now() + wait };
    pending.add(token);
    return () => { if (pending.delete(token)) jostle.activity++; };
  });
  // Is the event waiting for any of it?
  jostle.busy = () => {
    const now = native.now();
    for (const token of pending) {
      if (now < token.until) return true;
      pending.delete(token);
      if (token.sure) jostle.limit(`${token.what} did not come to an end within ${LONG_MS} ms; not waited for any longer`);
    }
    return false;
  };
  const during = (what, promise, options) => {
    if (!(promise instanceof native.Promise)) return promise;
    const done = track(what, options);
    native.apply(native.then, promise, [done, done]);
    return promise;
  };
  const trackPromises = (owner, names, words, waits = () => true, options = undefined) => {
    for (const name of names) {
      jostle.wrap(owner, name, (original) => ({
        [name]() {
          const result = native.apply(original, this, arguments);
          return waits(this) ? during(`${words}.${name}()`, result, options) : result;
        },
      })[name]);
    }
  };
  const prototype = (name) => globalThis[name]?.prototype;

  // A stream that the page feeds itself may well wait for something that is held: only the browser's own are waited for.
  const fed = new WeakSet(); // streams the browser feeds
  const readers = new WeakMap();
  const selfMade = new WeakSet(); // responses and requests around a stream of the page's own
  const bodies = ["arrayBuffer", "blob", "bytes", "formData", "json", "text"];
  for (const name of ["Response", "Request"]) {
    jostle.wrapConstructor(name, (Target, args, newTarget) => {
      const made = native.construct(Target, args, newTarget);
      const body = name === "Response" ? args[0] : args[1]?.body;
      if (body instanceof ReadableStream && !fed.has(body)) selfMade.add(made);
      return made;
    });
    trackPromises(prototype(name), bodies, name.toLowerCase(), (message) => !selfMade.has(message));
    jostle.wrap(prototype(name), "clone", (original) => ({
      clone() {
        const copy = native.apply(original, this, arguments);
        if (selfMade.has(this)) selfMade.add(copy);
        return copy;
      },
    }).clone);
    jostle.wrapAccessor(prototype(name), "body", ({ get }) => ({
      get() {
        const stream = native.apply(get, this, []);
        if (stream && !selfMade.has(this)) fed.add(stream);
        return stream;
      },
    }));
  }
  jostle.wrap(Blob.prototype, "stream", (original) => ({
    stream() {
      const stream = native.apply(original, this, arguments);
      fed.add(stream);
      return stream;
    },
  }).stream);
  jostle.wrap(ReadableStream.prototype, "getReader", (original) => ({
    getReader() {
      const reader = native.apply(original, this, arguments);
      readers.set(reader, this);
      return reader;
    },
  }).getReader);
  jostle.wrap(ReadableStream.prototype, "tee", (original) => ({
    tee() {
      const both = native.apply(original, this, arguments);
      if (fed.has(this)) for (const branch of both) fed.add(branch);
      return both;
    },
  }).tee);
  // Behind a transformation of the page's own there is no telling, hence no word about it.
  const unsure = { wait: 300, sure: false };
  jostle.wrap(ReadableStream.prototype, "pipeThrough", (original) => ({
    pipeThrough() {
      const result = native.apply(original, this, arguments);
      if (fed.has(this)) fed.add(result);
      return result;
    },
  }).pipeThrough);
  trackPromises(ReadableStream.prototype, ["pipeTo"], "stream", (stream) => fed.has(stream), unsure);
  for (const name of ["ReadableStreamDefaultReader", "ReadableStreamBYOBReader"]) {
    trackPromises(prototype(name), ["read"], "stream reader", (reader) => fed.has(readers.get(reader)), unsure);
  }
  const iterators = new WeakSet();
  for (const name of ["values", Symbol.asyncIterator]) {
    jostle.wrap(ReadableStream.prototype, name, (original) => ({
      values() {
        const iterator = native.apply(original, this, arguments);
        if (fed.has(this)) iterators.add(iterator);
        return iterator;
      },
    }).values);
  }
  trackPromises(Object.getPrototypeOf(new ReadableStream().values()), ["next"], "stream", (iterator) => iterators.has(iterator), unsure);

  trackPromises(Blob.prototype, ["arrayBuffer", "bytes", "text"], "blob");
  trackPromises(globalThis, ["createImageBitmap"], "window");
  trackPromises(prototype("SubtleCrypto"), ["decrypt", "deriveBits", "deriveKey", "digest", "encrypt", "exportKey", "generateKey", "importKey", "sign", "unwrapKey", "verify", "wrapKey"], "crypto.subtle");
  trackPromises(globalThis.WebAssembly, ["compile", "instantiate"], "WebAssembly");
  trackPromises(prototype("CacheStorage"), ["open", "match", "has", "keys", "delete"], "caches");
  trackPromises(prototype("Cache"), ["match", "matchAll", "keys", "delete"], "cache");
  trackPromises(prototype("Cache"), ["put"], "cache", () => true, unsure);
  if (globalThis.ServiceWorkerContainer) {
    jostle.wrap(ServiceWorkerContainer.prototype, "register", (original) => ({
      register() {
        if (jostle.free) return native.apply(original, this, arguments);
        // The browser would fetch it behind our back, which a recording cannot answer: as where there are none.
        jostle.limit("the page has a service worker: it was refused, as in a browser that has none");
        const refusal = new DOMException("Failed to register a ServiceWorker: they are not available here.", "SecurityError");
        return new native.Promise((resolve, reject) => reject(refusal));
      },
    }).register);
  }
  trackPromises(prototype("CookieStore"), ["get", "getAll", "set", "delete"], "cookieStore");
  trackPromises(prototype("StorageManager"), ["estimate", "persist", "persisted", "getDirectory"], "navigator.storage");
  trackPromises(prototype("Permissions"), ["query"], "navigator.permissions");
  trackPromises(prototype("Clipboard"), ["read", "readText", "write", "writeText"], "navigator.clipboard", () => true, unsure);
  trackPromises(prototype("NavigatorUAData"), ["getHighEntropyValues"], "navigator.userAgentData");
  // A picture that lies in its own address comes without passing the gate, and is not complete at once.
  jostle.ungated = jostle.unseen((image) => /^(data|blob):/.test(image.currentSrc || image.src));
  trackPromises(prototype("HTMLImageElement"), ["decode"], "image", (image) => image.complete || jostle.ungated(image));
  trackPromises(prototype("OffscreenCanvas"), ["convertToBlob"], "canvas");
  trackPromises(prototype("BaseAudioContext"), ["decodeAudioData"], "audio");
  trackPromises(prototype("LockManager"), ["query"], "navigator.locks");
  jostle.wrap(prototype("LockManager"), "request", (original) => ({
    request(...args) {
      // Another holder may wait for something that is held: a short wait for the lock, none for what is done with it.
      const last = args.length - 1, work = args[last];
      if (typeof work !== "function") return native.apply(original, this, args);
      const granted = track("navigator.locks.request()", unsure);
      args[last] = (lock) => { granted(); return work(lock); };
      const result = native.apply(original, this, args);
      during("navigator.locks.request()", result, unsure);
      return result;
    },
  }).request);
  // The update of a view transition comes after a frame; it may wait for something that is held.
  const changing = { wait: 1000, sure: false };
  jostle.wrap(Document.prototype, "startViewTransition", (original) => ({
    startViewTransition() {
      const transition = native.apply(original, this, arguments);
      if (!transition || jostle.free) return transition;
      during("a view transition", transition.updateCallbackDone, changing);
      const done = track("a view transition", changing);
      const begun = () => { jostle.frameWanted = true; done(); }; // its animations are there, or it was skipped
      native.apply(native.then, transition.ready, [begun, begun]);
      return transition;
    },
  }).startViewTransition);
  const { atob } = globalThis;
  jostle.unbase64 = (text) => {
    const binary = atob(text), bytes = new Uint8Array(binary.length);
    for (let i = 0; i < bytes.length; i++) bytes[i] = native.charCode(binary, i);
    return bytes;
  };
  // The browser encodes when it is idle, which it is not while we wait: encode at once.
  const { toDataURL } = HTMLCanvasElement.prototype;
  jostle.wrap(HTMLCanvasElement.prototype, "toBlob", (original) => ({
    toBlob(callback, ...format) {
      if (jostle.free || typeof callback !== "function") return native.apply(original, this, arguments);
      const made = jostle.dom.exec(/^data:([^;,]*);base64,(.*)$/, native.apply(toDataURL, this, format));
      const blob = made?.[2] ? new Blob([jostle.unbase64(made[2])], { type: made[1] }) : null;
      const done = track("canvas.toBlob()");
      jostle.later(callback, [blob]);
      jostle.later(done);
    },
  }).toBlob);

  for (const name of ["readAsText", "readAsDataURL", "readAsArrayBuffer", "readAsBinaryString"]) {
    jostle.wrap(FileReader.prototype, name, (original) => ({
      [name]() {
        const result = native.apply(original, this, arguments);
        native.apply(native.addEventListener, this, ["loadend", track(`FileReader.${name}()`), { once: true }]);
        return result;
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
    trackPromises(IDBFactory.prototype, ["databases"], "indexedDB");
    jostle.wrap(IDBDatabase.prototype, "transaction", (original) => ({
      transaction() { return until(native.apply(original, this, arguments), "a database transaction", ["complete", "error", "abort"]); },
    }).transaction);
  }

  // Going back or forward is answered by the browser's main process.
  const { navigation } = globalThis;
  const goes = (steps) => {
    if (!navigation?.currentEntry || self !== top) return { wait: 300, sure: false };
    const there = navigation.currentEntry.index + steps;
    if (steps && there >= 0 && there < navigation.entries().length) return {};
    // Before and behind the entries of this origin there may be others.
    return navigation.entries().length === history.length ? null : { wait: 300, sure: false };
  };
  for (const [name, steps] of [["back", () => -1], ["forward", () => 1], ["go", (by) => Number(by) | 0]]) {
    jostle.wrap(History.prototype, name, (original) => ({
      [name](by) {
        const expected = goes(steps(by));
        if (expected) {
          const done = track(`history.${name}()`, expected);
          for (const type of ["popstate", "pagehide"]) native.apply(native.addEventListener, globalThis, [type, done, { once: true }]);
        }
        return native.apply(original, this, arguments);
      },
    })[name]);
  }
  for (const name of ["back", "forward", "traverseTo"]) {
    jostle.wrap(prototype("Navigation"), name, (original) => ({
      [name]() {
        const result = native.apply(original, this, arguments);
        during(`navigation.${name}()`, result?.committed);
        return result;
      },
    })[name]);
  }
}
