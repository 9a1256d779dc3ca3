// Messages between windows, ports, channels, tabs and workers: stopped on arrival, delivered when it is their turn.
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
      event.stopImmediatePropagation();
      if (jostle.control?.(event)) return;
      for (const port of event.ports ?? []) watchPort(port, `${channel}/port`);
      jostle.hold({ kind: "message", what: what(event), channel, creator }, () => native.apply(native.dispatchEvent, target, [event]));
    }, { capture: true }]);
  };

  stop(globalThis, "message", "window", (event) => `message from ${origin(event)}`);
  stop(globalThis, "messageerror", "window", (event) => `unreadable message from ${origin(event)}`);
  stop(globalThis, "storage", "storage", (event) => `storage change of ${event.key ?? "everything"} in another tab`);

  const counts = new Map();
  const numbered = (name) => {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count > 1 ? `${name} #${count}` : name;
  };
  const watchPort = (port, channel, creator) => {
    if (watched.has(port)) return;
    watched.add(port);
    stop(port, "message", channel, () => `message on ${channel}`, creator);
    stop(port, "messageerror", channel, () => `unreadable message on ${channel}`, creator);
  };

  jostle.wrapConstructor("MessageChannel", (Target, args, newTarget) => {
    const channel = native.construct(Target, args, newTarget);
    const name = numbered(`channel of ${jostle.site()}`);
    watchPort(channel.port1, `${name} port 1`);
    watchPort(channel.port2, `${name} port 2`);
    return channel;
  });
  jostle.wrapConstructor("BroadcastChannel", (Target, args, newTarget) => {
    const channel = native.construct(Target, args, newTarget);
    watchPort(channel, numbered(`broadcast ${args[0]}`));
    return channel;
  });
  // A worker runs free; what it says is an event of the one that started it.
  const nameOf = (url) => { try { const { pathname, protocol } = new URL(url, location.href); return protocol === "blob:" ? "blob" : pathname; } catch { return "?"; } };
  jostle.wrapConstructor("Worker", (Target, args, newTarget) => {
    const worker = native.construct(Target, args, newTarget);
    const channel = numbered(`worker ${nameOf(args[0])}`);
    watchPort(worker, channel, jostle.current);
    stop(worker, "error", channel, () => `error of ${channel}`, jostle.current);
    jostle.workers = true;
    return worker;
  });
  jostle.wrapConstructor("SharedWorker", (Target, args, newTarget) => {
    const worker = native.construct(Target, args, newTarget);
    watchPort(worker.port, numbered(`shared worker ${nameOf(args[0])}`), jostle.current);
    jostle.limit("a shared worker runs outside of the page and is not controlled; only its messages are");
    return worker;
  });
}
