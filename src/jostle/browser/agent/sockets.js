// WebSocket and EventSource. The page gets our objects; behind them stands a real connection (live)
// or nothing but the driver, which tells what was said in the recording.
(jostle) => {
  const { native } = jostle;
  const NativeSocket = globalThis.WebSocket;
  const NativeSource = globalThis.EventSource;
  const sockets = new Map();
  const counts = new Map();
  let lastId = 0;
  jostle.recorded = false; // true: no server; the driver feeds what was received
  jostle.traffic = []; // since the last report: {socket, type, data, binary}

  const base64 = (buffer) => {
    let text = "";
    for (const byte of new Uint8Array(buffer)) text += String.fromCharCode(byte);
    return btoa(text);
  };
  const unbase64 = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer;

  // What both have in common: on* handlers, arrival in order, one held event for each arrival.
  const equip = (object, kind, url, types) => {
    const id = ++lastId;
    const site = `${kind} ${url}`;
    counts.set(site, (counts.get(site) ?? 0) + 1);
    const channel = `${site} #${counts.get(site)}`;
    const creator = jostle.current;
    jostle.traffic.push({ socket: id, type: "new", kind, url });
    for (const type of types) {
      let handler = null;
      native.apply(native.addEventListener, object, [type, (event) => { if (handler) native.apply(handler, object, [event]); }]);
      native.defineProperty(object, `on${type}`, { configurable: true, enumerable: true, get: () => handler, set: (value) => { handler = typeof value === "function" ? value : null; } });
    }
    const arrive = (type, data, deliver) => {
      jostle.traffic.push({ socket: id, type, ...data });
      const run = () => { try { deliver(); } catch (error) { jostle.surface(error); } };
      if (jostle.free) run();
      else jostle.hold({ kind: "message", what: `${type === "message" ? "message" : type} on ${channel}`, channel, creator }, run);
    };
    return { id, arrive };
  };
  const absolute = (url, scheme) => {
    const parsed = new URL(url, document.baseURI);
    if (scheme) parsed.protocol = parsed.protocol.replace(/^http/, "ws");
    return parsed.href;
  };
  const pathOf = (url) => new URL(url).pathname;

  class HeldSocket extends EventTarget {
    #real = null; #state = 0; #url; #protocol = ""; #binary = "blob"; #id; #arrive;
    constructor(url, protocols) {
      super();
      this.#url = absolute(url, true);
      if (!/^wss?:/.test(this.#url)) throw new DOMException(`Failed to construct 'WebSocket': The URL's scheme must be either 'http', 'https', 'ws', or 'wss'.`, "SyntaxError");
      const { id, arrive } = equip(this, "socket", pathOf(this.#url), ["open", "message", "error", "close"]);
      this.#id = id;
      this.#arrive = arrive;
      jostle.traffic.at(-1).address = this.#url;
      sockets.set(id, { feed: (item) => this.#feed(item) });
      if (jostle.recorded) return;
      const real = (this.#real = protocols === undefined ? new NativeSocket(url) : new NativeSocket(url, protocols));
      real.binaryType = "arraybuffer";
      real.onopen = () => this.#feed({ type: "open", data: real.protocol });
      real.onmessage = ({ data }) => this.#feed(typeof data === "string" ? { type: "message", data } : { type: "message", data: base64(data), binary: true });
      real.onerror = () => this.#feed({ type: "error" });
      real.onclose = ({ code, reason, wasClean }) => this.#feed({ type: "close", data: native.stringify({ code, reason, wasClean }) });
    }
    #feed({ type, data, binary }) {
      this.#arrive(type, { data, binary }, () => {
        if (type === "open") { this.#state = 1; this.#protocol = data ?? ""; this.dispatchEvent(new Event("open")); }
        else if (type === "error") this.dispatchEvent(new Event("error"));
        else if (type === "close") { this.#state = 3; this.dispatchEvent(new CloseEvent("close", JSON.parse(data))); }
        else {
          const content = !binary ? data : this.#binary === "arraybuffer" ? unbase64(data) : new Blob([unbase64(data)]);
          this.dispatchEvent(new MessageEvent("message", { data: content, origin: new URL(this.#url).origin }));
        }
      });
    }
    send(data) {
      if (this.#state === 0) throw new DOMException("Failed to execute 'send' on 'WebSocket': Still in CONNECTING state.", "InvalidStateError");
      const text = typeof data === "string" || !(data instanceof ArrayBuffer || ArrayBuffer.isView(data) || data instanceof Blob);
      jostle.traffic.push(text ? { socket: this.#id, type: "send", data: String(data) } : { socket: this.#id, type: "send", binary: true, data: data instanceof Blob ? `blob of ${data.size} bytes` : base64(data.buffer ?? data) });
      jostle.activity++;
      if (this.#state === 1) this.#real?.send(data);
    }
    close(code, reason) {
      if (this.#state >= 2) return;
      this.#state = 2;
      jostle.traffic.push({ socket: this.#id, type: "closing" });
      if (this.#real) code === undefined ? this.#real.close() : this.#real.close(code, reason);
    }
    get url() { return this.#url; }
    get readyState() { return this.#state; }
    get bufferedAmount() { return 0; }
    get extensions() { return ""; }
    get protocol() { return this.#protocol; }
    get binaryType() { return this.#binary; }
    set binaryType(value) { if (value === "blob" || value === "arraybuffer") this.#binary = value; }
    get [Symbol.toStringTag]() { return "WebSocket"; }
  }
  class HeldSource extends EventTarget {
    #real = null; #state = 0; #url; #credentials; #arrive; #types = new Set(["message"]);
    constructor(url, options) {
      super();
      this.#url = absolute(url);
      this.#credentials = Boolean(options?.withCredentials);
      const { id, arrive } = equip(this, "event source", pathOf(this.#url), ["open", "message", "error"]);
      this.#arrive = arrive;
      jostle.traffic.at(-1).address = this.#url;
      sockets.set(id, { feed: (item) => this.#feed(item) });
      if (jostle.recorded) return;
      const real = (this.#real = new NativeSource(url, options));
      real.onopen = () => this.#feed({ type: "open" });
      real.onerror = () => this.#feed({ type: "error", data: String(real.readyState) });
      real.onmessage = (event) => this.#feed({ type: "message", data: event.data, name: "message", last: event.lastEventId });
    }
    #feed({ type, data, name, last }) {
      this.#arrive(type, { data, name, last }, () => {
        if (this.#state === 2) return;
        if (type === "open") { this.#state = 1; this.dispatchEvent(new Event("open")); }
        else if (type === "error") { this.#state = Number(data ?? 0); this.dispatchEvent(new Event("error")); }
        else this.dispatchEvent(new MessageEvent(name ?? "message", { data, lastEventId: last ?? "", origin: new URL(this.#url).origin }));
      });
    }
    addEventListener(type, ...rest) {
      super.addEventListener(type, ...rest);
      if (this.#real && !this.#types.has(type) && type !== "open" && type !== "error") {
        this.#types.add(type);
        this.#real.addEventListener(type, (event) => this.#feed({ type: "message", data: event.data, name: type, last: event.lastEventId }));
      }
    }
    close() { this.#state = 2; this.#real?.close(); }
    get url() { return this.#url; }
    get readyState() { return this.#state; }
    get withCredentials() { return this.#credentials; }
    get [Symbol.toStringTag]() { return "EventSource"; }
  }
  const install = (name, Held, Native, constants) => {
    if (typeof Native !== "function") return;
    jostle.disguise(Held, Native);
    constants.forEach((constant, value) => {
      for (const place of [Held, Held.prototype]) native.defineProperty(place, constant, { value, enumerable: true });
    });
    native.defineProperty(globalThis, name, { ...native.getOwnPropertyDescriptor(globalThis, name), value: Held });
  };
  install("WebSocket", HeldSocket, NativeSocket, ["CONNECTING", "OPEN", "CLOSING", "CLOSED"]);
  install("EventSource", HeldSource, NativeSource, ["CONNECTING", "OPEN", "CLOSED"]);
  jostle.feed = (id, items) => { for (const item of items) sockets.get(id)?.feed(item); };
  for (const name of ["RTCPeerConnection", "WebTransport"]) {
    jostle.wrapConstructor(name, (Target, args, newTarget) => {
      jostle.limit(`${name} is used: what arrives over it is neither held nor recorded`);
      return native.construct(Target, args, newTarget);
    });
  }
}
