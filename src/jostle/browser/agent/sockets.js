// WebSocket and EventSource. The page gets our objects; behind them stands a real connection (live)
// or nothing but the driver, which tells what was said in the recording.
(jostle) => {
  const { native } = jostle;
  const NativeSocket = globalThis.WebSocket;
  const NativeSource = globalThis.EventSource;
  const sockets = new Map();
  const counts = new Map();
  let lastId = 0;
  jostle.recorded ??= false; // true: no server; the driver feeds what was received
  jostle.traffic = new List(); // since the last report: {socket, type, data, binary}

  const { btoa } = globalThis, { fromCharCode } = String;
  const base64 = (bytes) => {
    let text = "";
    for (let i = 0; i < bytes.length; i++) text += fromCharCode(bytes[i]);
    return btoa(text);
  };
  const bytesOf = (data) => (ArrayBuffer.isView(data) ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : new Uint8Array(data));
  const unbase64 = (text) => jostle.unbase64(text).buffer;

  // What both have in common: arrival in order, one held event for each arrival.
  // What comes of a connection, or of something sent over one, is waited for a little: it is as good as an answer.
  const answer = { wait: 1000, sure: false };
  const reply = { wait: 50, sure: false };
  class Line {
    #id = ++lastId; #address; #channel; #creator = jostle.current; #held = new Set(); #answered;
    constructor(kind, address, feed) {
      this.#address = address;
      const site = `${kind} ${new URL(address).pathname}`;
      counts.set(site, (counts.get(site) ?? 0) + 1);
      this.#channel = counts.get(site) > 1 ? `${site} #${counts.get(site)}` : site;
      this.note({ type: "new", kind, url: new URL(address).pathname, address });
      sockets.set(this.#id, feed);
      this.expect(answer);
    }
    note(item) {
      if (jostle.watching) jostle.tell("traffic", { item: { socket: this.#id, ...item } });
      else if (!jostle.free) jostle.traffic.push({ socket: this.#id, ...item });
    }
    expect(options = reply) {
      if (jostle.recorded || jostle.free) return;
      this.#answered?.();
      this.#answered = jostle.track("a socket", options);
    }
    arrive(type, data, deliver) {
      this.note({ type, ...data });
      this.#answered?.();
      const run = () => { try { deliver(); } catch (error) { jostle.surface(error); } };
      if (jostle.free) return run();
      const id = jostle.hold({ kind: "message", what: `${type} on ${this.#channel}`, channel: this.#channel, address: this.#address, creator: this.#creator }, () => { this.#held.delete(id); run(); });
      this.#held.add(id);
    }
    // What has arrived and was not delivered yet never will be.
    drop() {
      for (const id of this.#held) jostle.unhold(id);
      this.#held.clear();
    }
    end() { sockets.delete(this.#id); }
  }
  const absolute = (name, url) => {
    try { return new URL(url, document.baseURI); } catch { throw new DOMException(`Failed to construct '${name}': The URL '${url}' is invalid.`, "SyntaxError"); }
  };

  class HeldSocket extends EventTarget {
    #real = null; #state = 0; #url; #protocol = ""; #binary = "blob"; #line; #over = false;
    constructor(url, protocols) {
      super();
      const address = absolute("WebSocket", url);
      address.protocol = jostle.dom.replace(address.protocol, /^http/, "ws");
      if (!/^wss?:$/.test(address.protocol)) throw new DOMException(`Failed to construct 'WebSocket': The URL's scheme must be either 'http', 'https', 'ws', or 'wss'. '${address.protocol.slice(0, -1)}' is not allowed.`, "SyntaxError");
      // The browser's own checks the arguments, too; what it throws passes on to the page.
      const real = jostle.recorded ? null : protocols === undefined ? new NativeSocket(url) : new NativeSocket(url, protocols);
      this.#real = real;
      this.#url = real?.url ?? address.href;
      this.#line = new Line("socket", this.#url, (item) => this.#feed(item));
      if (!real) return;
      real.binaryType = "arraybuffer";
      real.onopen = () => this.#feed({ type: "open", data: real.protocol });
      real.onmessage = ({ data }) => this.#feed(typeof data === "string" ? { type: "message", data } : { type: "message", data: base64(bytesOf(data)), binary: true });
      real.onerror = () => this.#feed({ type: "error" });
      real.onclose = ({ code, reason, wasClean }) => this.#feed({ type: "close", data: native.stringify({ code, reason, wasClean }) });
    }
    #feed({ type, data, binary }) {
      this.#line.arrive(type, { data, binary }, () => {
        if (this.#over) return;
        if (type === "open" && this.#state === 0) {
          this.#state = 1;
          this.#protocol = data ?? "";
          this.dispatchEvent(new Event("open"));
        } else if (type === "error") {
          this.#state = 3;
          this.dispatchEvent(new Event("error"));
        } else if (type === "close") {
          this.#state = 3;
          this.#over = true;
          this.#line.end();
          this.dispatchEvent(new CloseEvent("close", JSON.parse(data)));
        } else if (type === "message" && this.#state === 1) {
          const content = !binary ? data : this.#binary === "arraybuffer" ? unbase64(data) : new Blob([unbase64(data)]);
          this.dispatchEvent(new MessageEvent("message", { data: content, origin: new URL(this.#url).origin }));
        }
      });
    }
    send(data) {
      if (arguments.length === 0) throw new TypeError("Failed to execute 'send' on 'WebSocket': 1 argument required, but only 0 present.");
      if (this.#state === 0) throw new DOMException("Failed to execute 'send' on 'WebSocket': Still in CONNECTING state.", "InvalidStateError");
      if (this.#state !== 1) return; // as the browser does
      const binary = data instanceof ArrayBuffer || ArrayBuffer.isView(data) || data instanceof Blob;
      if (!binary) data = String(data);
      this.#line.note(!binary ? { type: "send", data } : { type: "send", binary: true, data: data instanceof Blob ? `blob of ${data.size} bytes` : base64(bytesOf(data)) });
      jostle.activity++;
      this.#line.expect();
      this.#real?.send(data);
    }
    close(code, reason) {
      if (code !== undefined && (code = Number(code) & 0xffff) !== 1000 && (code < 3000 || code > 4999)) {
        throw new DOMException(`Failed to execute 'close' on 'WebSocket': The close code must be either 1000, or between 3000 and 4999. ${code} is neither.`, "InvalidAccessError");
      }
      if (this.#state >= 2) return;
      const opened = this.#state === 1;
      this.#state = 2;
      this.#line.note({ type: "closing" });
      this.#line.drop();
      jostle.activity++;
      this.#line.expect(answer);
      if (this.#real) code === undefined ? this.#real.close() : reason === undefined ? this.#real.close(code) : this.#real.close(code, reason);
      else this.#feed({ type: "close", data: native.stringify(opened ? { code: code ?? 1005, reason: String(reason ?? ""), wasClean: true } : { code: 1006, reason: "", wasClean: false }) });
    }
    get url() { return this.#url; }
    get readyState() { return this.#state; }
    get bufferedAmount() { return 0; }
    get extensions() { return this.#real?.extensions ?? ""; }
    get protocol() { return this.#protocol; }
    get binaryType() { return this.#binary; }
    set binaryType(value) { if (value === "blob" || value === "arraybuffer") this.#binary = value; }
  }

  class HeldSource extends EventTarget {
    #real = null; #state = 0; #url; #credentials; #line; #types = new Set(["message", "open", "error"]);
    constructor(url, options) {
      super();
      const address = absolute("EventSource", url);
      const real = (this.#real = jostle.recorded ? null : new NativeSource(url, options));
      this.#url = address.href;
      this.#credentials = Boolean(options?.withCredentials);
      this.#line = new Line("event source", this.#url, (item) => this.#feed(item));
      if (!real) return;
      real.onopen = () => this.#feed({ type: "open" });
      real.onerror = () => {
        if (real.readyState === 0) jostle.limit("an EventSource lost its connection: it tries again in real time");
        this.#feed({ type: "error", data: String(real.readyState) });
      };
      real.onmessage = (event) => this.#feed({ type: "message", data: event.data, name: "message", last: event.lastEventId });
    }
    #feed({ type, data, name, last }) {
      this.#line.arrive(type, { data, name, last }, () => {
        if (this.#state === 2) return;
        if (type === "open") { this.#state = 1; this.dispatchEvent(new Event("open")); }
        else if (type === "error") { this.#state = Number(data || 0); this.dispatchEvent(new Event("error")); }
        else this.dispatchEvent(new MessageEvent(name ?? "message", { data, lastEventId: last ?? "", origin: new URL(this.#url).origin }));
      });
    }
    addEventListener(type, ...rest) {
      super.addEventListener(type, ...rest);
      if (!this.#real || this.#types.has(String(type))) return;
      this.#types.add(String(type));
      this.#real.addEventListener(type, (event) => this.#feed({ type: "message", data: event.data, name: String(type), last: event.lastEventId }));
    }
    close() {
      this.#state = 2;
      this.#line.drop();
      this.#line.end();
      this.#real?.close();
    }
    get url() { return this.#url; }
    get readyState() { return this.#state; }
    get withCredentials() { return this.#credentials; }
  }

  // on* as accessors of the prototype: a handler takes its place among the listeners when it is first set.
  const handlers = (Held, types) => {
    for (const type of types) {
      const set = new WeakMap();
      native.defineProperty(Held.prototype, `on${type}`, {
        configurable: true,
        enumerable: true,
        get() { return set.get(this)?.handler ?? null; },
        set(value) {
          const handler = typeof value === "function" || (typeof value === "object" && value !== null) ? value : null;
          let slot = set.get(this);
          if (!slot) {
            set.set(this, (slot = { handler: null, listening: false }));
            slot.run = (event) => { if (typeof slot.handler === "function" && native.apply(slot.handler, this, [event]) === false) event.preventDefault(); };
          }
          if (handler && !slot.handler) native.apply(native.addEventListener, this, [type, slot.run]);
          if (!handler && slot.handler) native.apply(native.removeEventListener, this, [type, slot.run]);
          slot.handler = handler;
        },
      });
    }
  };
  const install = (name, Held, Native, constants, types) => {
    if (typeof Native !== "function") return;
    handlers(Held, types);
    jostle.disguise(Held, Native);
    for (const key of Object.getOwnPropertyNames(Held.prototype)) {
      const own = native.getOwnPropertyDescriptor(Held.prototype, key);
      const original = native.getOwnPropertyDescriptor(Native.prototype, key) ?? native.getOwnPropertyDescriptor(EventTarget.prototype, key);
      if (key === "constructor" || !original) continue;
      for (const part of ["value", "get", "set"]) if (typeof own[part] === "function" && original[part]) jostle.disguise(own[part], original[part]);
      native.defineProperty(Held.prototype, key, { ...own, enumerable: original.enumerable });
    }
    native.defineProperty(Held.prototype, Symbol.toStringTag, { value: name, configurable: true });
    constants.forEach((constant, value) => {
      for (const place of [Held, Held.prototype]) native.defineProperty(place, constant, { value, enumerable: true });
    });
    native.defineProperty(globalThis, name, { ...native.getOwnPropertyDescriptor(globalThis, name), value: Held });
  };
  install("WebSocket", HeldSocket, NativeSocket, ["CONNECTING", "OPEN", "CLOSING", "CLOSED"], ["open", "message", "error", "close"]);
  install("EventSource", HeldSource, NativeSource, ["CONNECTING", "OPEN", "CLOSED"], ["open", "message", "error"]);
  jostle.feed = (id, items) => { for (let i = 0; i < items.length; i++) sockets.get(id)?.(items[i]); };
  // The network of a replay is dead but for peers: with nobody to relay between them, they do not look for each other.
  const alone = (configuration) => (jostle.recorded ? { ...configuration, iceServers: [], iceTransportPolicy: "relay" } : configuration);
  for (const name of ["RTCPeerConnection", "WebTransport", "WebSocketStream"]) {
    jostle.wrapConstructor(name, (Target, args, newTarget) => {
      jostle.limit(`${name} is used: what arrives over it is neither held nor recorded`);
      if (name === "RTCPeerConnection") args = [alone(args[0])];
      return native.construct(Target, args, newTarget);
    });
  }
  jostle.wrap(globalThis.RTCPeerConnection?.prototype, "setConfiguration", (original) => ({
    setConfiguration(configuration) { return native.apply(original, this, [alone(configuration)]); },
  }).setConfiguration);
}
