// Everything that could happen next in this document and waits for its turn: the agent's half of `enabled()`.
(jostle) => {
  const held = (jostle.held = new Map());
  let lastId = 0;
  let created = new List();
  let removed = new List();

  // `entry`: {kind, what, channel?, delay?, due?, interval?} as the driver sees it. `run` lets it happen.
  jostle.hold = (entry, run) => {
    jostle.attend();
    const id = ++lastId;
    held.set(id, { id, run, entry: { id, ...entry } });
    created.push(id);
    jostle.activity++;
    // What arrives from elsewhere may come at any time: the driver must know that there is something new to ask about.
    if (!jostle.settling && (entry.kind === "message" || entry.kind === "observer")) jostle.tell("arrived");
    return id;
  };
  jostle.unhold = (id) => {
    if (!held.delete(id)) return false;
    const fresh = created.indexOf(id);
    if (fresh >= 0) created.splice(fresh, 1);
    else removed.push(id);
    return true;
  };
  jostle.release = (id) => {
    const item = held.get(id);
    if (!item) return false;
    held.delete(id);
    item.run();
    return true;
  };
  // `creator` is the event that opened what a message comes through; by now it has its name.
  const told = ({ creator, ...entry }) => (creator ? { ...entry, creator: creator.key } : entry);
  jostle.heldSince = () => {
    const report = { created: created.filter((id) => held.has(id)).map((id) => told(held.get(id).entry)), removed };
    created = new List();
    removed = new List();
    return report;
  };
}
