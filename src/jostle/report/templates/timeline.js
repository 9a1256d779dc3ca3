"use strict";
// The overview (a picture), the list (only the rows in sight exist) and the details of the chosen event.
// Texts come from a page that was tested and are hostile: they are only ever set as text.
(() => {
  const byId = id => document.getElementById(id);
  const data = JSON.parse(byId("data").textContent);
  const { steps, runs, lanes } = data; // a step is known by its number, from 1
  const list = byId("list"), details = byId("details"), picture = byId("picture");
  const dialog = byId("enlarged");
  for (const screen of document.querySelectorAll(".screen")) {
    screen.addEventListener("click", () => {
      const image = dialog.querySelector("img"), shown = screen.querySelector("img");
      image.src = shown.src;
      image.alt = shown.alt;
      dialog.showModal();
    });
  }
  dialog.addEventListener("click", event => { if (event.target === dialog) dialog.close(); });
  if (!list) return;

  const ROW = 30, LANE = 22, MARGIN = 12, BAR = 26, AXIS = 24, TOP = 4, GRAPH_LEFT = 159;
  const laneOf = new Map(lanes.map((lane, n) => [lane.kind, n]));
  const labelOf = new Map(lanes.map(lane => [lane.kind, lane.label]));
  const graphWidth = lanes.length * LANE + 2 * MARGIN - 8;
  const step = number => steps[number - 1];
  const time = ms => ms < 1000 ? `${Math.round(ms)} ms`
    : ms < 60000 ? `${(ms / 1000).toFixed(ms < 10000 ? 2 : 1)} s`
    : `${Math.floor(ms / 60000)} min ${Math.round(ms % 60000 / 1000)} s`;
  const times = (n, noun) => `${n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}`;

  const divergedAt = new Map();
  for (const each of data.diverged) divergedAt.set(each.step, [...(divergedAt.get(each.step) ?? []), each.text]);
  const bad = number => Boolean(step(number).bad || divergedAt.has(number));
  const runAt = new Map();
  for (const run of runs) for (let n = run[0]; n <= run[1]; n++) runAt.set(n, run);
  const effects = new Map();
  steps.forEach((each, n) => { if (each.cause) (effects.get(each.cause) ?? effects.set(each.cause, []).get(each.cause)).push(n + 1); });
  const happened = number => effects.get(number) ?? [];

  const state = { hidden: new Set(), search: "", onlyBad: false, byTime: false, unfolded: new Set(), chosen: 0, hovered: 0 };

  // Building blocks ----------------------------------------------------------------------------------------------
  const make = (tag, attributes = {}, ...children) => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (name === "text") element.textContent = value;
      else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value);
    }
    element.append(...children.filter(Boolean));
    return element;
  };
  const draw = (tag, attributes) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return element;
  };
  let palette = new Map();
  const readPalette = () => {
    const style = getComputedStyle(document.documentElement);
    const names = [...lanes.map(lane => lane.kind), "line", "rail", "bad", "soft", "accent", "choose", "sheet", "text"];
    palette = new Map(names.map(name => [name, style.getPropertyValue(`--${name}`).trim()]));
  };
  const once = work => {
    let asked = false;
    return () => {
      if (asked) return;
      asked = true;
      requestAnimationFrame(() => { asked = false; work(); });
    };
  };

  // A row that is replaced between press and release would never hear of the click.
  let pressed = false;
  const later = once(() => { if (!pressed) paint(); });

  // Which rows there are: a row is a step, or a run of steps that repeat themselves ---------------------------------
  let rows = [], rowOf = new Map();
  const wanted = number => {
    const each = step(number);
    return !state.hidden.has(each.kind) && (!state.onlyBad || bad(number))
      && (!state.search || `${number} ${each.what} ${each.short ?? ""}`.toLowerCase().includes(state.search));
  };
  const arrange = () => {
    rows = [];
    rowOf = new Map();
    let shown = 0;
    for (let number = 1; number <= steps.length; number++) {
      const run = runAt.get(number);
      if (run && run[0] === number) {
        const members = [];
        for (let n = run[0]; n <= run[1]; n++) if (wanted(n)) members.push(n);
        shown += members.length;
        if (members.length > 1) {
          for (const n of members) rowOf.set(n, rows.length);
          rows.push({ number: members[0], run, members });
        }
        if (members.length === 1 || state.unfolded.has(run)) {
          for (const n of members) {
            rowOf.set(n, rows.length);
            rows.push({ number: n, inside: members.length > 1 ? run : null });
          }
        }
        number = run[1];
      } else if (wanted(number)) {
        shown++;
        rowOf.set(number, rows.length);
        rows.push({ number });
      }
    }
    byId("showing").textContent = shown === steps.length ? times(shown, "step") : `${shown.toLocaleString("en")} of ${times(steps.length, "step")}`;
    edges = null;
    stale = true;
    whole.style.height = `${rows.length * ROW}px`; // at once: fewer rows may mean that the list is scrolled less
    later();
  };

  // Who caused what ------------------------------------------------------------------------------------------------
  const causes = number => {
    const chain = [];
    for (let n = step(number).cause; n; n = step(n).cause) chain.push(n);
    return chain;
  };
  const marked = () => {
    const number = state.hovered || state.chosen;
    return number ? { number, causes: new Set(causes(number)), effects: new Set(happened(number)) } : { number: 0, causes: new Set(), effects: new Set() };
  };

  // The list -------------------------------------------------------------------------------------------------------
  const whole = make("div", { class: "whole", role: "presentation" });
  const graph = draw("svg", { "aria-hidden": "true" });
  list.append(whole);
  let edges = null;
  const laneX = number => MARGIN + laneOf.get(step(number).kind) * LANE;
  const middle = row => row * ROW + ROW / 2;

  const paint = () => {
    const from = Math.max(0, Math.floor(list.scrollTop / ROW) - 6);
    const to = Math.min(rows.length, Math.ceil((list.scrollTop + list.clientHeight) / ROW) + 6);
    const mark = marked();
    whole.replaceChildren();
    if (!rows.length) {
      whole.style.height = "";
      whole.append(make("p", { class: "empty", text: "No event fits." }));
      list.removeAttribute("aria-activedescendant");
    } else {
      for (let r = from; r < to; r++) whole.append(rowElement(r, mark));
      paintGraph(from, to, mark);
      const current = rowOf.get(state.chosen);
      if (current >= from && current < to) list.setAttribute("aria-activedescendant", `event-${current}`);
      else list.removeAttribute("aria-activedescendant");
    }
    paintPicture();
  };

  const rowElement = (r, mark) => {
    const { number, run, members, inside } = rows[r];
    const each = step(number), previous = r ? rows[r - 1] : null;
    const last = previous ? step(previous.members ? previous.members.at(-1) : previous.number) : null;
    const jumped = last ? each.time - last.time >= 50 : false;
    const chosen = members ? members.includes(state.chosen) && !state.unfolded.has(run) : number === state.chosen;
    const some = (set) => !state.unfolded.has(run) && members ? members.some(n => set.has(n)) : !members && set.has(number);
    const relation = number !== mark.number && !chosen && (some(mark.causes) ? "cause" : some(mark.effects) ? "effect" : "");
    const classes = ["row", `k-${each.kind}`, chosen && "chosen", relation, (members ?? [number]).some(bad) && "bad"];
    const row = make("div", {
      class: classes.filter(Boolean).join(" "), role: "treeitem", id: `event-${r}`, "data-row": r,
      "aria-level": inside ? 2 : 1, "aria-posinset": r + 1, "aria-setsize": rows.length,
      "aria-selected": String(chosen), "aria-expanded": run ? String(state.unfolded.has(run)) : null,
    });
    row.style.top = `${r * ROW}px`;
    const gap = make("span", { class: "g" });
    gap.style.width = `${graphWidth}px`;
    const names = run && [...new Set(members.map(n => step(n).what))];
    row.append(
      make("span", { class: "n", text: members ? `${members[0]}–${members.at(-1)}` : number }),
      make("span", { class: jumped ? "t jump" : "t", text: time(each.time), title: jumped ? `${time(each.time - last.time)} later` : null }),
      gap,
    );
    if (run) row.append(make("span", { class: "fold", "aria-hidden": "true", text: state.unfolded.has(run) ? "▾" : "▸" }), make("span", { class: "times", text: `${members.length.toLocaleString("en")} ×` }));
    row.append(make("span", { class: "w" }, make("bdi", { text: run ? names.join(", ") : each.what })), make("span", { class: "s", dir: "ltr" }, make("bdi", { text: run ? `for ${time(step(members.at(-1)).time - each.time)}` : each.short ?? "" })));
    if (relation) row.append(make("span", { class: "tag", text: relation === "cause" ? "cause" : "caused" }));
    return row;
  };

  const edge = (cause, effect) => ({ cause, effect, from: rowOf.get(cause), to: rowOf.get(effect) });
  const paintGraph = (from, to, mark) => {
    if (!edges) {
      edges = [];
      for (const { number, members } of rows) {
        const { cause } = step(number);
        if (cause && rowOf.has(cause) && (!members || rowOf.get(cause) !== rowOf.get(number))) edges.push(edge(cause, number));
      }
    }
    const top = from * ROW, height = (to - from) * ROW;
    graph.replaceChildren();
    for (const [name, value] of Object.entries({ width: graphWidth, height })) graph.setAttribute(name, value);
    graph.style.top = `${top}px`;
    graph.style.left = `${GRAPH_LEFT}px`;
    const line = (each, colour, width) => {
      const x1 = laneX(each.cause), x2 = laneX(each.effect), y1 = Math.max(middle(each.from) - top, -20);
      const y2 = Math.min(middle(each.to) - top, height + 20);
      if (y2 <= y1 + 12) return;
      const rail = x2 + 8, turn = x1 < rail ? 6 : -6;
      const path = `M${x1} ${y1}H${rail - turn}q${turn} 0 ${turn} 6V${y2 - 6}q0 6 -6 6H${x2}`;
      graph.append(draw("path", { d: path, fill: "none", stroke: colour, "stroke-width": width }));
    };
    const seen = r => r >= from && r < to;
    const bright = [];
    for (const each of edges) {
      if (each.from >= to || each.to < from) continue;
      const isCause = each.effect === mark.number || mark.causes.has(each.effect);
      if (isCause || each.cause === mark.number) bright.push([each, isCause]);
      else if (seen(each.from) || seen(each.to)) line(each, palette.get("rail"), 1.5);
    }
    for (const [each, isCause] of bright) line(each, isCause ? palette.get("accent") : palette.get(step(each.effect).kind), 2.25);
    for (let r = from; r < to; r++) {
      const { number, members } = rows[r], cy = middle(r) - top;
      const kinds = members ? new Map(members.map(n => [step(n).kind, n])) : new Map([[step(number).kind, number]]);
      for (const [kind, n] of kinds) {
        const trouble = (members ?? [number]).some(bad);
        if (members) graph.append(draw("rect", { x: laneX(n) - 5, y: cy - 8, width: 10, height: 16, rx: 5, fill: palette.get(kind) }));
        else graph.append(draw("circle", { cx: laneX(n), cy, r: kind === "user" ? 6 : 4.5, fill: palette.get(kind) }));
        if (trouble) graph.append(draw("circle", { cx: laneX(n), cy, r: 8.5, fill: "none", stroke: palette.get("bad"), "stroke-width": 2 }));
        if (number === mark.number) graph.append(draw("circle", { cx: laneX(n), cy, r: 9, fill: "none", stroke: palette.get("accent"), "stroke-width": 2 }));
      }
    }
    whole.append(graph);
  };

  // The overview ---------------------------------------------------------------------------------------------------
  const canvas = picture.querySelector("canvas"), tip = picture.querySelector(".tip"), pen = canvas.getContext("2d");
  const end = Math.max(1, ...steps.slice(-1).map(each => each.time));
  picture.style.height = `${TOP + lanes.length * BAR + AXIS}px`;
  const EDGE = 14;
  const xOf = number => EDGE + (canvas.clientWidth - 2 * EDGE) * (state.byTime ? step(number).time / end : (number - .5) / steps.length);
  const yOf = number => TOP + laneOf.get(step(number).kind) * BAR + BAR / 2;

  // What changes only with the filters, the axis, the size and the colours is drawn once.
  const still = document.createElement("canvas");
  let stale = true;
  const paintStill = (width, height, sharp, bottom) => {
    still.width = canvas.width;
    still.height = canvas.height;
    const pen = still.getContext("2d");
    pen.setTransform(sharp, 0, 0, sharp, 0, 0);
    pen.fillStyle = palette.get("line");
    for (let n = 1; n <= lanes.length; n++) pen.fillRect(0, TOP + n * BAR - 1, width, 1);
    const thick = Math.max(1.5, Math.min(9, (width - 2 * EDGE) / steps.length - 1.5));
    const passes = [
      ["rail", number => step(number).kind === "user", x => pen.rect(x - .5, TOP, 1, bottom - TOP)],
      ...lanes.map(({ kind }) => [kind, number => step(number).kind === kind, (x, y) => {
        const w = kind === "user" ? Math.max(thick, 2.5) : thick, h = kind === "user" ? 18 : 14;
        pen.roundRect(x - w / 2, y - h / 2, w, h, Math.min(2.5, w / 2));
      }]),
    ];
    for (const [colour, fits, shape] of passes) {
      pen.fillStyle = palette.get(colour);
      for (const shown of [false, true]) {
        pen.globalAlpha = shown ? 1 : .15;
        pen.beginPath();
        let last = -1;
        for (let number = 1; number <= steps.length; number++) {
          const x = xOf(number);
          if (!fits(number) || rowOf.has(number) !== shown || x - last < .5) continue;
          shape(last = x, yOf(number));
        }
        pen.fill();
      }
    }
    pen.fillStyle = palette.get("bad");
    for (let number = 1; number <= steps.length; number++) {
      if (!bad(number)) continue;
      const x = xOf(number);
      pen.fillRect(x - 1, TOP, 2, bottom - TOP);
      pen.beginPath();
      pen.arc(x, yOf(number), 6, 0, 7);
      pen.fill();
    }
    pen.fillStyle = palette.get("soft");
    pen.font = "12px system-ui, sans-serif";
    const extent = state.byTime ? end : steps.length, most = Math.max(1, Math.floor(width / 110));
    const power = 10 ** Math.floor(Math.log10(extent / most)), rough = extent / most / power;
    const gap = Math.max(state.byTime ? 0 : 1, power * (rough <= 1 ? 1 : rough <= 2 ? 2 : rough <= 5 ? 5 : 10));
    for (let at = 0; at <= extent; at += gap) {
      const x = EDGE + (width - 2 * EDGE) * (state.byTime ? at / end : (Math.max(1, at) - .5) / steps.length);
      pen.textAlign = at === 0 ? "left" : extent - at < gap / 4 ? "right" : "center";
      pen.fillText(state.byTime ? time(at) : at === 0 ? "step 1" : at.toLocaleString("en"), at === 0 ? EDGE : x, bottom + 16);
    }
    stale = false;
  };

  const paintPicture = () => {
    const width = canvas.clientWidth, height = canvas.clientHeight, sharp = devicePixelRatio || 1;
    if (!width) return;
    if (canvas.width !== Math.round(width * sharp) || canvas.height !== Math.round(height * sharp)) {
      canvas.width = Math.round(width * sharp);
      canvas.height = Math.round(height * sharp);
      stale = true;
    }
    const bottom = TOP + lanes.length * BAR, mark = marked();
    if (stale) paintStill(width, height, sharp, bottom);
    pen.setTransform(sharp, 0, 0, sharp, 0, 0);
    pen.clearRect(0, 0, width, height);
    if (rows.length && list.scrollHeight > list.clientHeight) { // where the list stands
      const first = rows[Math.min(rows.length - 1, Math.floor(list.scrollTop / ROW))];
      const last = rows[Math.min(rows.length - 1, Math.floor((list.scrollTop + list.clientHeight) / ROW))];
      const a = xOf(first.number) - 5, b = xOf(last.members ? last.members.at(-1) : last.number) + 5;
      pen.fillStyle = palette.get("choose");
      pen.fillRect(a, 0, Math.max(3, b - a), bottom);
    }
    pen.drawImage(still, 0, 0, width, height);
    if (!mark.number) return;
    const arrow = (from, to, colour) => {
      const x1 = xOf(from), y1 = yOf(from), x2 = xOf(to), y2 = yOf(to), far = Math.abs(x2 - x1);
      const bend = y1 === y2 ? y1 - Math.min(20, 8 + far / 8) : y1;
      pen.strokeStyle = colour;
      pen.lineWidth = 1.5;
      pen.beginPath();
      pen.moveTo(x1, y1);
      pen.bezierCurveTo((x1 + x2) / 2, bend, (x1 + x2) / 2, y1 === y2 ? bend : y2, x2, y2);
      pen.stroke();
    };
    for (const n of mark.effects) arrow(mark.number, n, palette.get(step(n).kind));
    let next = mark.number;
    for (const n of mark.causes) {
      arrow(n, next, palette.get("accent"));
      next = n;
    }
    pen.strokeStyle = palette.get("text");
    pen.lineWidth = 2;
    pen.beginPath();
    pen.arc(xOf(mark.number), yOf(mark.number), 8, 0, 7);
    pen.stroke();
  };

  const under = event => {
    const box = canvas.getBoundingClientRect(), x = event.clientX - box.left, y = event.clientY - box.top;
    let best = 0, nearest = 24 * 24;
    for (let number = 1; number <= steps.length; number++) {
      if (!rowOf.has(number)) continue;
      const far = (xOf(number) - x) ** 2 + (yOf(number) - y) ** 2;
      if (far < nearest) [best, nearest] = [number, far];
    }
    return best;
  };
  picture.addEventListener("pointermove", event => {
    const number = under(event);
    tip.hidden = !number;
    if (number) {
      tip.textContent = `${number} · ${time(step(number).time)} · ${step(number).what}`;
      const left = Math.min(xOf(number) + 10, canvas.clientWidth - Math.min(tip.offsetWidth, 420) - 4);
      tip.style.left = `${Math.max(4, left)}px`;
      tip.style.top = `${yOf(number) + 13}px`;
    }
    hover(number);
  });
  picture.addEventListener("pointerleave", () => { tip.hidden = true; hover(0); });
  picture.addEventListener("click", event => {
    const number = under(event);
    if (number) choose(number);
  });

  // The chosen event -----------------------------------------------------------------------------------------------
  const link = number => {
    const each = step(number);
    const button = make("button", { type: "button", class: `k-${each.kind}` }, make("i", { "aria-hidden": "true" }), make("bdi", { text: each.what }), make("span", { class: "num", text: `step ${number}` }));
    button.addEventListener("click", () => choose(number, true));
    return make("li", {}, button);
  };
  const never = each => make("li", {}, make("span", { class: `never k-${each.kind}` }, make("i", { "aria-hidden": "true" }), make("bdi", { text: each.what }), make("span", { class: "num", text: each.removed ? `gone in step ${each.removed}` : "did not happen" })));
  const section = (title, tone, content) => make("section", { class: tone || null }, make("h4", { text: title }), content);
  const lines = texts => make("ul", { class: "lines" }, ...texts.map(text => make("li", { text })));

  const tell = () => {
    const number = state.chosen;
    if (!number) return details.replaceChildren(make("p", { class: "note", text: "Choose an event to see what caused it and what it did." }));
    const each = step(number), cause = each.cause && step(each.cause), run = runAt.get(number);
    const facts = make("dl");
    const fact = (name, text) => text && facts.append(make("dt", { text: name }), make("dd", {}, make("bdi", { text })));
    if (cause) {
      const waited = number - each.cause - 1;
      fact("Possible", `since step ${each.cause}, ${time(each.time - cause.time)} before${waited ? `; ${times(waited, "other step")} went first` : ""}`);
    }
    if (run) fact("Repeats", `part of steps ${run[0]} to ${run[1]}, which repeat themselves`);
    fact("Page", each.title);
    fact("Address", each.url);
    const chain = causes(number), created = each.created ?? [];
    details.replaceChildren(...[
      make("p", {}, make("span", { class: `badge k-${each.kind}`, text: labelOf.get(each.kind) }), make("span", { class: "where", text: `step ${number} of ${steps.length.toLocaleString("en")} · ${time(each.time)}` })),
      make("h3", {}, make("bdi", { text: each.what })),
      facts,
      divergedAt.has(number) && section("Replays", "bad", lines(divergedAt.get(number))),
      ...(each.sections ?? []).filter(s => s.tone === "bad").map(s => section(s.title, s.tone, lines(s.lines))),
      chain.length && section(chain.length === 1 ? "Caused by" : "Caused by, step by step", "", make("ol", { class: "links chain" }, ...shortened(chain.reverse()).map(link))),
      created.length && section(`Made possible (${created.length})`, "", make("ul", { class: "links" }, ...created.slice(0, 60).map(c => c.step ? link(c.step) : never(c)), created.length > 60 && make("li", { text: `… and ${created.length - 60} more` }))),
      ...(each.sections ?? []).filter(s => s.tone !== "bad").map(s => section(s.title, s.tone, lines(s.lines))),
    ].filter(Boolean));
    details.scrollTop = 0;
  };
  const shortened = chain => chain.length > 8 ? [...chain.slice(0, 3), ...chain.slice(-4)] : chain;

  const reveal = r => {
    const top = r * ROW;
    if (top < list.scrollTop + ROW) list.scrollTop = Math.max(0, top - list.clientHeight / 3);
    else if (top + 2 * ROW > list.scrollTop + list.clientHeight) list.scrollTop = top - list.clientHeight * 2 / 3;
  };
  const choose = (number, unfold = false) => {
    if (!rowOf.has(number)) { // filtered away: show everything again
      state.hidden.clear();
      state.onlyBad = false;
      state.search = byId("search").value = "";
      showFilters();
      arrange();
    }
    const run = runAt.get(number);
    if (unfold && run && !state.unfolded.has(run)) {
      state.unfolded.add(run);
      arrange();
    }
    state.chosen = number;
    state.hovered = 0;
    reveal(rowOf.get(number));
    tell();
    later();
    try { history.replaceState(null, "", `#step-${number}`); } catch { /* not from this address */ }
  };
  const hover = number => {
    if (state.hovered === number) return;
    state.hovered = number;
    later();
  };
  // The keyboard and the mouse -------------------------------------------------------------------------------------
  const fold = (run, open) => {
    if (open) state.unfolded.add(run);
    else state.unfolded.delete(run);
    arrange();
  };
  let cursor = 0; // the row the keyboard is on: a run and its first step share a number
  const go = r => {
    if (!rows.length) return;
    cursor = Math.max(0, Math.min(rows.length - 1, r));
    choose(rows[cursor].number);
    reveal(cursor);
  };
  const here = () => rows[cursor]?.number === state.chosen ? cursor : rowOf.get(state.chosen) ?? -1;
  list.addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const r = here(), row = rows[r], page = Math.max(1, Math.floor(list.clientHeight / ROW) - 1);
    const acts = {
      ArrowDown: () => go(r + 1), ArrowUp: () => go(r - 1), Home: () => go(0), End: () => go(rows.length - 1),
      PageDown: () => go(r + page), PageUp: () => go(r - page),
      ArrowRight: () => row?.run && (state.unfolded.has(row.run) ? go(r + 1) : fold(row.run, true)),
      ArrowLeft: () => {
        const run = row?.run ?? row?.inside;
        if (!run) return;
        fold(run, false);
        go(rowOf.get(run[0]) ?? r);
      },
      Enter: () => row?.run && fold(row.run, !state.unfolded.has(row.run)),
      " ": () => row?.run && fold(row.run, !state.unfolded.has(row.run)),
      c: () => state.chosen && step(state.chosen).cause && choose(step(state.chosen).cause),
      e: () => {
        for (let n = 1; n <= steps.length; n++) {
          const number = (state.chosen + n - 1) % steps.length + 1;
          if (bad(number)) return choose(number);
        }
      },
    };
    const act = acts[event.key] ?? acts[event.key.toLowerCase()];
    if (!act) return;
    event.preventDefault();
    act();
  });
  list.addEventListener("focus", () => { if (!state.chosen && rows.length) go(0); });
  list.addEventListener("click", event => {
    const r = event.target.closest?.(".row")?.dataset.row;
    if (r === undefined) return;
    const row = rows[cursor = Number(r)];
    if (row.run) fold(row.run, !state.unfolded.has(row.run));
    choose(row.number);
  });
  list.addEventListener("pointerdown", event => { pressed = Boolean(event.target.closest?.(".row")); });
  for (const type of ["pointerup", "pointercancel"]) window.addEventListener(type, () => setTimeout(() => { pressed = false; later(); }));
  list.addEventListener("pointermove", event => {
    const r = event.target.closest?.(".row")?.dataset.row;
    hover(r === undefined ? 0 : rows[r]?.number ?? 0);
  });
  list.addEventListener("pointerleave", () => hover(0));
  list.addEventListener("scroll", later, { passive: true });
  document.addEventListener("keydown", event => {
    if (event.key === "/" && !/^(INPUT|TEXTAREA)$/.test(event.target.tagName)) {
      event.preventDefault();
      byId("search").focus();
    }
  });

  // Filters --------------------------------------------------------------------------------------------------------
  const showFilters = () => {
    for (const lane of document.querySelectorAll(".lane")) lane.setAttribute("aria-pressed", String(!state.hidden.has(lane.dataset.kind)));
    byId("only-bad")?.setAttribute("aria-pressed", String(state.onlyBad));
    byId("by-step").setAttribute("aria-pressed", String(!state.byTime));
    byId("by-time").setAttribute("aria-pressed", String(state.byTime));
  };
  const filter = () => {
    showFilters();
    list.scrollTop = 0;
    arrange();
    if (rowOf.has(state.chosen)) reveal(rowOf.get(state.chosen));
  };
  for (const lane of document.querySelectorAll(".lane")) {
    lane.addEventListener("click", () => {
      const { kind } = lane.dataset;
      if (!state.hidden.delete(kind)) state.hidden.add(kind);
      filter();
    });
  }
  byId("only-bad")?.addEventListener("click", () => { state.onlyBad = !state.onlyBad; filter(); });
  byId("search").addEventListener("input", event => { state.search = event.target.value.trim().toLowerCase(); filter(); });
  for (const [id, byTime] of [["by-step", false], ["by-time", true]]) {
    byId(id).addEventListener("click", () => { state.byTime = byTime; stale = true; showFilters(); later(); });
  }

  // Beginning ------------------------------------------------------------------------------------------------------
  const fromAddress = () => {
    const asked = /^#step-(\d+)$/.exec(location.hash);
    if (asked && step(Number(asked[1]))) choose(Number(asked[1]));
  };
  addEventListener("hashchange", fromAddress);
  addEventListener("resize", later);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { readPalette(); stale = true; later(); });
  readPalette();
  arrange();
  const find = fits => steps.findIndex((each, n) => fits(n + 1)) + 1;
  if (/^#step-\d+$/.test(location.hash)) fromAddress();
  if (!state.chosen) choose(find(bad) || find(n => step(n).kind === "user" && happened(n).length) || 1);
})();
