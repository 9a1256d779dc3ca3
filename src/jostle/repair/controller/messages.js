// Messages: from other windows and frames, sockets, event streams, workers and broadcast channels. Those of one source keep
// their order. Messages between ports of the page itself are left alone: frameworks put their work in order with them.
(repair) => {
  if (!repair.about("message")) return;
  let sources = 0;
  const hearing = (channel, url) => function (event) {
    if (!event.isTrusted) return;
    const told = repair.event("message", { types: ["message"], url, channel });
    const { data, origin, lastEventId, source, ports } = event;
    const deliver = () => repair.dispatch(this, new MessageEvent("message", { data, origin, lastEventId, source, ports: [...ports] }));
    if (repair.emit(told, deliver) !== "dispatch") repair.stop(event);
  };
  repair.listen(globalThis, "message", hearing("window", ""));
  for (const name of ["WebSocket", "EventSource", "Worker", "BroadcastChannel"]) {
    repair.wrapConstructor(name, (made, [url]) => repair.first(made, "message", hearing(`${name} ${++sources}`, made.url ?? String(url))));
  }
}
