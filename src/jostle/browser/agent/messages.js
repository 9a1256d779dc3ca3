// Messages between windows, ports, channels and tabs: stopped on arrival, delivered when it is their turn.
// The very event that arrived is dispatched again; only its isTrusted is false then. By that we tell what arrives
// from what was delivered before, and leave alone what the page dispatches itself.
(jostle) => {
  const { native } = jostle;
  const watched = new WeakSet();
  const origin = (event) => event.origin || location.origin;

  // Be the first listener of `target` for `type`; hold what arrives.
  const stop = (target, type, channel, what, creator) => {
    native.apply(native.addEventListener, target, [type, (event) => {
      if (!event.isTrusted || jostle.free) return;
      native.apply(native.stopImmediatePropagation, event, []);
      if (type === "storage" && heardStorage(event)) return;
      const { ports } = event;
      for (let i = 0; ports && i < ports.length; i++) jostle.stop(ports[i], `${channel}/port`);
      jostle.hold({ kind: "message", what: what(event), channel, creator }, () => {
        native.apply(native.initEvent, event, [type, event.bubbles, event.cancelable]); // it is no longer stopped
        native.apply(native.dispatchEvent, target, [event]);
      });
    }, { capture: true }]);
  };
  jostle.stop = (port, channel, creator) => {
    if (watched.has(port)) return;
    watched.add(port);
    stop(port, "message", channel, () => `message on ${channel}`, creator);
    stop(port, "messageerror", channel, () => `unreadable message on ${channel}`, creator);
    stop(port, "error", channel, () => `error of ${channel}`, creator); // a worker's
  };
  const counts = new Map();
  jostle.numbered = (name) => {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count > 1 ? `${name} #${count}` : name;
  };

  stop(globalThis, "message", "window", (event) => `message from ${origin(event)}`);
  stop(globalThis, "messageerror", "window", (event) => `unreadable message from ${origin(event)}`);
  // Whoever listens for storage events makes the browser fetch the whole storage.
  if (!jostle.free) stop(globalThis, "storage", "storage", (event) => `storage change of ${event.key ?? "everything"} in another tab`);
  jostle.wrapConstructor("MessageChannel", (Target, args, newTarget) => {
    const channel = native.construct(Target, args, newTarget);
    const name = jostle.numbered(`channel of ${jostle.site()}`);
    jostle.stop(channel.port1, `${name} port 1`);
    jostle.stop(channel.port2, `${name} port 2`);
    return channel;
  });
  jostle.wrapConstructor("BroadcastChannel", (Target, args, newTarget) => {
    marks ??= listen(Target);
    const channel = native.construct(Target, args, newTarget);
    jostle.stop(channel, jostle.numbered(`broadcast ${args[0]}`));
    return channel;
  });

  // Broadcasts and storage events travel to other tabs and frames through the browser's main process. A mark sent
  // behind them tells a document that it has got them: the driver lets the others wait for the marks of the one that spoke.
  const MARK = "jostle:mark";
  const heard = new Set();
  const spoken = { broadcast: false, storage: false };
  let marks = null;
  let last = 0;
  const listen = (Channel) => {
    const channel = new Channel(MARK);
    native.apply(native.addEventListener, channel, ["message", ({ data }) => heard.add(data)]);
    return channel;
  };
  const broadcast = globalThis.BroadcastChannel?.prototype.postMessage;
  jostle.wrap(globalThis.BroadcastChannel?.prototype, "postMessage", (original) => ({
    postMessage() {
      spoken.broadcast = true;
      return native.apply(original, this, arguments);
    },
  }).postMessage);
  const heardStorage = (event) => {
    if (event.key === MARK) heard.add(event.newValue);
    else jostle.storageEvent?.(event);
    return event.key === MARK;
  };
  jostle.wroteLocalStorage = () => { spoken.storage = true; };
  const ways = new List("broadcast", "storage");
  jostle.sendMarks = () => {
    const sent = new List();
    for (const way of ways) {
      if (!spoken[way] || jostle.free) continue;
      spoken[way] = false;
      const mark = `${way} ${native.now()} ${++last}`;
      if (way === "broadcast") native.apply(broadcast, marks, [mark]);
      else {
        try {
          native.apply(native.setItem, localStorage, [MARK, mark]);
          native.apply(native.removeItem, localStorage, [MARK]);
        } catch { continue; /* full */ }
      }
      sent.push(mark);
    }
    return sent;
  };
  jostle.awaits = (mark) => !heard.has(mark) && (mark[0] === "s" || marks !== null);
}
