// What a policy does with an operation: `jostle.repair.decide` in JavaScript, function by function. Both are tested with the
// same operations.
(repair) => {
  const HOVER = /^(mouse|pointer)(over|out|enter|leave|move)$/;
  const STRENGTH = { __proto__: null, dispatch: 0, postpone: 1, discard: 2 };

  const expressions = new Map();
  const expression = (pattern) => {
    let made = expressions.get(pattern);
    if (!made) {
      made = new RegExp(`^(?:${pattern.split("*").map((part) => part.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")).join(".*")})$`, "s");
      expressions.set(pattern, made);
    }
    return made;
  };
  const addressMatches = (pattern, url) => {
    if (!pattern.includes("?")) url = url.split("?")[0];
    if (pattern[0] === "/") url = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?]*/, "");
    return url !== "" && expression(pattern).test(url);
  };

  const matches = (match, on, event, world) => {
    if ((match.on ?? "begin") !== on || (match.kinds && !match.kinds.includes(event.kind))) return false;
    const types = event.types ?? [];
    if (match.types) {
      if (!match.types.some((type) => types.includes(type))) return false;
    } else if (event.kind === "user" && types.length && types.every((type) => HOVER.test(type))) return false;
    if (match.events && !match.events.includes(event.id)) return false;
    if (match.lane && match.lane !== event.lane) return false;
    if (match.longest !== undefined && event.kind === "timer" && (event.nested || (event.delay ?? 0) > match.longest)) return false;
    const fits = (pattern) => addressMatches(pattern, event.url ?? "");
    if ((match.urls && !match.urls.some(fits)) || match.except_urls?.some(fits)) return false;
    return !match.selector || world.selects(event, match.selector);
  };

  repair.matches = matches;

  // Whether the application itself relies on this order.
  const precedes = (first, second) => (first.channel && first.channel === second.channel)
    || (first.kind === "timer" && second.kind === "timer" && first.id < second.id && (first.delay ?? 0) <= (second.delay ?? 0));

  const NEVER = { is: "never" };
  const extended = (extension, rule, event) => {
    const until = { is: "arrived", event: event.id };
    switch (extension.do) {
      case "wait_for": {
        const match = { kinds: ["user"] };
        if (extension.selector) match.selector = extension.selector;
        return { match, until, action: extension.action ?? "discard" };
      }
      case "wait_recursively":
        return { match: rule.match, until, then: [{ ...extension, do: "wait_for" }, extension] };
      case "order_next":
        return {
          match: extension.lanes ? { ...rule.match, lane: event.lane ?? "" } : rule.match,
          until, scope: "once", then: [{ do: "order", after: event.id }],
        };
      case "order":
        return { match: { events: [event.id] }, until: { is: "arrived", event: extension.after }, action: "postpone" };
    }
  };

  // `world`: what of the page decisions depend on.
  //   holds(predicate)         whether it is true now
  //   selects(event, selector) whether the element of the event matches
  repair.decider = (policy, world) => {
    const watchdog = (policy.watchdog ?? 10) * 1000;
    let rules = (policy.rules ?? []).map((rule) => ({ rule, since: 0, added: false, key: "" }));
    const came = new Set();
    let parsed = false;
    let held = []; // {event, since}, in the order in which they were first seen
    let pending = []; // {event, lane, by}: requests that a newer one may overtake

    const expired = ({ until = NEVER }) => {
      switch (until.is) {
        case "never": return false;
        case "parsed": return parsed;
        case "arrived": return came.has(until.url);
        default: return world.holds(until);
      }
    };
    const activated = (on, event, at) => rules.filter(({ rule, since, added }) =>
      matches(rule.match ?? {}, on, event, world)
      && !((added || rule.action === "discard") && at - since >= watchdog) && !expired(rule));
    const update = (active, event, at) => {
      if (!active.length) return;
      rules = rules.filter((each) => each.rule.scope !== "once" || !active.includes(each));
      if (!event) return;
      const keys = new Set(rules.map(({ key }) => key));
      for (const { rule } of active) {
        for (const extension of rule.then ?? []) {
          const made = extended(extension, rule, event);
          const key = made && JSON.stringify(made);
          if (!made || keys.has(key)) continue;
          keys.add(key);
          rules.push({ rule: made, since: at, added: true, key });
        }
      }
    };
    const arrive = (events, url) => {
      for (const { rule } of rules) if (rule.until?.url && url && addressMatches(rule.until.url, url)) came.add(rule.until.url);
      rules = rules.filter(({ rule }) => !(rule.until?.is === "arrived" && events.includes(rule.until.event)));
      held = held.filter(({ event }) => !events.includes(event.id));
      pending = pending.filter(({ event }) => !events.includes(event));
    };

    return {
      get held() { return held; },
      expired,
      // Whether anything waits for it to be over.
      awaits: ({ id, url }) => rules.some(({ rule: { until } }) => until?.is === "arrived" && (until.event === id || (until.url && url))),
      // Whether a rule could still do something.
      get live() {
        return held.length > 0 || rules.some(({ rule: { until = NEVER } }) =>
          !(until.is === "parsed" && parsed) && !(until.is === "arrived" && until.url && came.has(until.url)));
      },
      fork(event, at) {
        const active = activated("fork", event, at);
        update(active, event, at);
        const aborted = [];
        let silent = false;
        for (const { rule } of active) {
          for (const extension of rule.then ?? []) {
            if (extension.do !== "abort_older") continue;
            const lane = extension.lanes ? event.lane ?? "" : "";
            const older = pending.filter((one) => one.by === rule && one.lane === lane).map((one) => one.event);
            aborted.push(...older.filter((one) => !aborted.includes(one)));
            silent ||= !!extension.silent;
            pending = pending.filter((one) => !older.includes(one.event));
            pending.push({ event: event.id, lane, by: rule });
          }
        }
        if (aborted.length) arrive(aborted, "");
        return { action: "dispatch", overdue: false, aborted, silent };
      },
      begin(event, at) {
        const active = activated("begin", event, at);
        let action = active.map(({ rule }) => rule.action ?? "dispatch").reduce((a, b) => (STRENGTH[b] > STRENGTH[a] ? b : a), "dispatch");
        if (action === "discard" && (event.text || event.kind !== "user")) action = "postpone";
        const place = held.findIndex((each) => each.event.id === event.id);
        let overdue = false;
        if (action === "postpone" && place >= 0 && at - held[place].since >= watchdog) {
          action = "dispatch";
          overdue = true;
        }
        const ahead = place < 0 ? held : held.slice(0, place);
        if (action === "dispatch" && ahead.some((each) => precedes(each.event, event))) {
          action = "postpone";
          overdue = false;
        }
        if (action === "postpone") {
          update(active, null, at);
          if (place < 0) held.push({ event, since: at });
        } else {
          update(active, action === "dispatch" ? event : null, at);
          if (place >= 0) held.splice(place, 1);
        }
        return { action, overdue, aborted: [], silent: false };
      },
      end(event) { arrive([event.id], event.url ?? ""); },
      parsingEnded() { parsed = true; },
    };
  };
}
