// What waits, and when it is let go: every event of the page comes by here. What is decided, others decide (see decide.js).
(repair) => {
  const MOST_TOLD = 500;
  const POLL = 50; // ms between looks at what tells nobody that it has changed
  const { policy } = repair;
  const waiting = new Map(); // id -> {deliver, ready, since}
  const log = [];
  const counts = { dispatched: 0, postponed: 0, discarded: 0, aborted: 0, overdue: 0, lost: 0, kept: 0, waited: 0, longest: 0 };
  let lastId = 0;
  let over = false;
  let timer = null;

  repair.current = null; // the event whose handlers run, or whose promise jobs
  repair.releasing = 0; // what happens now follows from an event that was let go
  const decider = repair.decider(policy, {
    holds: (predicate) => repair.holds(predicate),
    selects: (event, selector) => event.element ? repair.fits(event.element, selector) : !!event.root?.element && repair.fits(event.root.element, selector),
  });

  // The kinds of event that rules are about.
  const kinds = new Set(policy.rules.flatMap(({ match = {}, then = [] }) => [
    ...(match.kinds ?? ["user", "timer", "response", "script", "image", "frame", "message"]),
    ...(then.some((each) => each.do.startsWith("wait")) ? ["user"] : []),
  ]));
  const lineage = policy.protect?.length > 0 || policy.rules.some(({ match }) => match?.on === "fork" && match.selector);
  if (lineage) for (const kind of ["user", "timer", "response"]) kinds.add(kind);
  repair.about = (kind) => kinds.has(kind);
  repair.concerns = (event) => lineage || policy.rules.some(({ match = {} }) => {
    const { selector, lane, on, ...rest } = match;
    return repair.matches(rest, "begin", event, null);
  });

  repair.event = (kind, told) => {
    return { id: ++lastId, kind, root: kind === "user" ? null : repair.current?.root ?? repair.current, ...told };
  };

  const words = (event) => (event.element ? `${event.types?.at(-1) ?? "load"} on ${repair.words(event.element)}` : `${event.types?.[0] ?? event.kind} ${event.url ?? event.delay ?? ""}`.trim());
  const tell = (what, event, more) => {
    if (log.length < MOST_TOLD) log.push({ what, kind: event.kind, event: words(event), at: Math.round(repair.now()), ...more });
  };

  const aborting = new Map(); // requests under way -> what aborts them
  repair.fork = (event, abort) => {
    if (over) return;
    const decision = decider.fork(event, repair.now());
    if (abort) aborting.set(event.id, { event, abort });
    for (const id of decision.aborted) {
      const older = aborting.get(id);
      if (!older) continue;
      counts.aborted++;
      tell("aborted", older.event);
      forget(older.event);
      older.abort(decision.silent);
    }
    if (decision.aborted.length) drain();
  };
  const forget = (event) => {
    aborting.delete(event.id);
    if (waiting.delete(event.id)) repair.busy?.(event, false);
  };

  // The event is about to happen. `deliver` makes it happen later; `lasting`: it tells itself when it is over.
  repair.emit = (event, deliver, { ready, lasting } = {}) => {
    if (over) return "dispatch";
    const { action } = decider.begin(event, repair.now());
    if (action === "postpone") {
      counts.postponed++;
      waiting.set(event.id, { deliver, ready, lasting, since: repair.now() });
      repair.busy?.(event, true);
      attend();
    } else if (action === "discard") {
      counts.discarded++;
      tell("discarded", event);
      repair.blink?.(event);
    } else begun(event, lasting);
    return action;
  };
  const begun = (event, lasting) => {
    counts.dispatched++;
    if (lineage) repair.current = event;
    if (!lasting && (lineage || decider.awaits(event))) repair.nextTask().then(() => repair.end(event));
  };
  // Its handlers have finished, or it cannot happen any more.
  repair.end = (event) => {
    if (repair.current === event) repair.current = null;
    decider.end(event);
    forget(event);
    drain();
  };
  repair.parsingEnded = () => {
    decider.parsingEnded();
    drain();
  };

  let draining = false, again = false;
  const drain = async () => {
    if (over) return;
    again = true;
    if (draining) return;
    draining = true;
    try {
      while (again) {
        again = false;
        for (const { event } of [...decider.held]) {
          const one = waiting.get(event.id);
          if (!one || one.ready?.() === false) continue;
          const { action, overdue } = decider.begin(event, repair.now());
          if (action === "postpone") continue;
          const waited = Math.round(repair.now() - one.since);
          forget(event);
          counts.waited += waited;
          counts.longest = Math.max(counts.longest, waited);
          if (action === "discard") {
            counts.discarded++;
            tell("discarded", event, { waited });
            continue;
          }
          if (overdue) counts.overdue++;
          tell("postponed", event, overdue ? { waited, overdue } : { waited });
          if (overdue) console.warn(`jostle repair: ${words(event)} has waited for ${waited} ms and is let go; what the policy "${policy.name}" waits for did not come.`);
          counts.dispatched++;
          if (lineage) repair.current = event;
          repair.releasing++;
          try { one.deliver(); } catch (error) { reportError(error); } finally { repair.releasing--; }
          if (one.lasting) continue;
          await repair.nextTask();
          if (repair.current === event) repair.current = null;
          decider.end(event);
          again = true;
        }
      }
    } finally {
      draining = false;
    }
    repair.refresh?.();
    attend();
  };
  repair.drain = drain;
  repair.expired = decider.expired;
  repair.kept = (field) => { counts.kept++; tell("kept", { kind: "user", types: ["entry"], element: field }); };
  repair.lost = (event) => { counts.lost++; tell("lost", event); };

  // While something waits: look again when it must be let go, and at what changes without a word.
  const attend = () => {
    repair.notLater(timer);
    timer = null;
    const watching = waiting.size > 0 || repair.marking?.();
    repair.observe?.(watching);
    if (!watching) {
      if (!decider.live && !policy.protect?.length) repair.finish();
      return;
    }
    const oldest = Math.min(repair.now(), ...[...waiting.values()].map(({ since }) => since));
    const left = Math.max(1, oldest + (policy.watchdog ?? 10) * 1000 - repair.now() + 1);
    timer = repair.later(drain, repair.polls ? Math.min(POLL, left) : left);
  };

  // No rule can do anything any more: the page is left to itself.
  repair.finish = () => {
    if (over) return;
    over = true;
    repair.undo();
  };
  repair.report = () => ({
    policy: policy.name, finished: over, ...counts,
    waiting: waiting.size, log: log.map((each) => ({ ...each })),
  });
  repair.settled = attend;
}
