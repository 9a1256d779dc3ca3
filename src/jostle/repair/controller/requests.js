// Requests of fetch and XMLHttpRequest: the page hears of a response when its turn has come. The network is left alone.
(repair) => {
  if (!repair.about("response")) return;
  const LARGEST = 5e6; // bytes of a response that is waited for as a whole
  const STREAMED = /event-stream|ndjson|x-mixed-replace/;
  const absolute = (url) => {
    try { return new URL(url, document.baseURI).href.split("#")[0]; } catch { return String(url); }
  };
  const requested = (type, method, url) => {
    const path = url.split("?")[0].replace(/^[a-z]+:\/\/[^/]*/, "").replace(/\d+/g, "*");
    const event = repair.event("response", { types: [type], url, lane: `${method.toUpperCase()} ${path}` });
    return repair.concerns(event) ? event : null;
  };

  // An abort of ours that the page does not expect is no error of the page's.
  const ours = new WeakSet();
  if (repair.policy.rules.some(({ then = [] }) => then.some((each) => each.do === "abort_older"))) {
    repair.listen(globalThis, "unhandledrejection", (event) => {
      if (event.reason && typeof event.reason === "object" && ours.has(event.reason)) repair.stop(event, true);
    });
  }

  // Bodies that the handlers of a response read: it is over when they have.
  const reading = new WeakMap();
  for (const name of ["arrayBuffer", "blob", "bytes", "formData", "json", "text"]) {
    repair.wrap(Response.prototype, name, (original) => ({
      [name]() {
        const read = repair.apply(original, this, arguments);
        reading.get(this)?.push(read.then(() => {}, () => {}));
        return read;
      },
    })[name]);
  }
  // Waits until the whole response is there, so that reading it takes no further turn.
  const whole = (response) => {
    const { headers, body, bodyUsed } = response;
    if (!body || bodyUsed || STREAMED.test(headers.get("content-type") ?? "") || headers.get("content-length") > LARGEST) return undefined;
    return response.clone().arrayBuffer().catch(() => {});
  };

  repair.wrap(globalThis, "fetch", (original) => ({
    fetch(input, init) {
      const promise = repair.apply(original, globalThis, arguments);
      const request = input instanceof Request ? input : null;
      const event = !(init?.keepalive ?? request?.keepalive)
        && requested("fetch", String(init?.method ?? request?.method ?? "GET"), absolute(request?.url ?? input));
      if (!event) return promise;
      return new Promise((resolve, reject) => {
        let over = false;
        const gone = (reason) => {
          if (over) return;
          over = true;
          reject(reason);
          repair.end(event);
        };
        repair.fork(event, (silent) => {
          if (over) return;
          over = true;
          if (silent) return;
          const reason = new DOMException("A newer request has overtaken this one.", "AbortError");
          ours.add(reason);
          reject(reason);
        });
        const signal = init?.signal ?? request?.signal;
        if (signal) repair.first(signal, "abort", () => gone(signal.reason));
        const happen = (outcome) => {
          if (over) return;
          const run = () => {
            over = true;
            outcome();
          };
          if (repair.emit(event, run, { lasting: true }) === "dispatch") run();
        };
        promise.then(async (response) => {
          await whole(response);
          happen(async () => {
            const reads = [];
            let patience;
            reading.set(response, reads);
            resolve(response);
            // Its handlers run in promise jobs, and further ones when they have read it.
            await repair.nextTask();
            if (reads.length) {
              await Promise.race([Promise.all(reads), new Promise((late) => { patience = repair.later(late, 1000); })]);
              repair.notLater(patience);
              await repair.nextTask();
            }
            repair.end(event);
          });
        }, (reason) => {
          if (signal?.aborted) gone(reason);
          else happen(async () => {
            reject(reason);
            await repair.nextTask();
            repair.end(event);
          });
        });
      });
    },
  }).fetch);

  const calls = new WeakMap(); // XMLHttpRequest -> its request
  const hear = function (event) {
    const call = calls.get(this);
    if (!call?.event || !event.isTrusted) return;
    if (call.over) return repair.stop(event);
    if (event.type === "readystatechange" && this.readyState !== 4) return;
    if (event.type === "abort" || call.aborting) {
      if (event.type === "abort") settle(call);
      return;
    }
    call.action ??= repair.emit(call.event, () => release(this, call));
    if (call.action === "dispatch") return;
    repair.stop(event);
    call.parts.push(event);
  };
  const release = (xhr, call) => {
    call.action = "dispatch";
    for (const part of call.parts.splice(0)) if (calls.get(xhr) === call && !call.over) repair.dispatch(xhr, repair.copy(part));
  };
  const settle = (call) => {
    call.event && repair.end(call.event);
    call.parts = [];
  };
  const stopped = (xhr) => {
    for (const type of ["abort", "loadend"]) repair.dispatch(xhr, new ProgressEvent(type));
  };
  const TYPES = ["readystatechange", "load", "error", "timeout", "abort", "loadend"];
  repair.wrapConstructor("XMLHttpRequest", (xhr) => {
    for (const type of TYPES) repair.first(xhr, type, hear);
  });
  repair.wrap(XMLHttpRequest.prototype, "open", (original) => ({
    open(method, url, asynchronous = true) {
      const before = calls.get(this);
      if (before) settle(before);
      const call = { parts: [], sent: false, method, url, asynchronous };
      calls.delete(this);
      const result = repair.apply(original, this, arguments);
      calls.set(this, call);
      return result;
    },
  }).open);
  repair.wrap(XMLHttpRequest.prototype, "send", (original) => ({
    send() {
      const call = calls.get(this);
      if (call?.asynchronous && !call.event) {
        call.event = requested("xhr", String(call.method), absolute(call.url));
        if (call.event) repair.fork(call.event, (silent) => {
          call.over = true;
          call.parts = [];
          if (!silent) stopped(this);
        });
      }
      return repair.apply(original, this, arguments);
    },
  }).send);
  repair.wrap(XMLHttpRequest.prototype, "abort", (original) => ({
    abort() {
      const call = calls.get(this);
      const held = call?.parts.length > 0;
      if (call) call.aborting = true;
      repair.apply(original, this, arguments);
      if (call?.event) settle(call);
      if (held) stopped(this); // for the page it was still under way
    },
  }).abort);
}
