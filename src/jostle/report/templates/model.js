"use strict";
// The model of the application as a drawing to walk through. `signal`: ends it.
const showModel = ({ signal } = {}) => {
  const byId = id => document.getElementById(id);
  const canvas = byId("canvas");
  if (!canvas) return;
  const { model, pictures, problems } = JSON.parse(byId("data").textContent);
  const { states, events, edges, layers } = model;
  const room = byId("room"), drawing = byId("drawing"), details = byId("details");
  const WIDTH = 180, HEIGHT = 184, GAP = 30, BETWEEN = 156, MARGIN = 48, INSIDE = 20, HEAD = 40, FEW = 30;

  const leaving = states.map(() => []);
  for (const edge of edges) leaving[edge[0]].push(edge);
  const boxes = layers.flatMap((layer, column) => layer.map(box => ({ ...box, column, single: box.states.length === 1, open: false })));
  const boxOf = [];
  for (const box of boxes) for (const n of box.states) boxOf[n] = box;
  const trouble = states.map((_, n) => problems.flatMap((each, m) => each.state === n ? [m] : []));
  const isJump = event => events[event].startsWith("visit ");

  let nodes = [], links = [], size = [0, 0], scale = 1, chosen = null, hovered = null, all = true, search = "", current = null;

  // Building blocks ------------------------------------------------------------------------------------------------
  const make = (tag, attributes = {}, ...children) => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (name === "text") element.textContent = value;
      else if (name === "click") element.addEventListener("click", value);
      else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value);
    }
    element.append(...children.filter(Boolean));
    return element;
  };
  const draw = (tag, attributes, ...children) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
  };
  const times = (number, noun) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
  const sum = (items, value) => items.reduce((total, each) => total + value(each), 0);
  const name = n => states[n].title || path(n) || "without a title";
  const path = n => states[n].url.replace(/^https?:\/\/[^/]*/, "");
  const picture = (n, attributes) => pictures[n] ? make("img", { src: `data:image/jpeg;base64,${pictures[n]}`, draggable: "false", ...attributes }) : null;
  const place = (element, x, y, width, height) => {
    element.style.left = `${x}px`;
    element.style.top = `${y}px`;
    if (width) element.style.width = `${width}px`;
    if (height) element.style.height = `${height}px`;
    return element;
  };

  // Where everything lies: a column for each distance from the start, several beside each other where it is long ------
  const arrange = () => {
    const longest = Math.max(...layers.map(layer => layer.length));
    const limit = Math.min(8, Math.max(4, Math.ceil(Math.sqrt(2 * longest)))) * (HEIGHT + GAP);
    const columns = [];
    let x = MARGIN;
    layers.forEach((_, number) => {
      const stacks = [];
      for (const box of boxes.filter(each => each.column === number)) {
        box.across = box.open ? Math.ceil(Math.sqrt(box.states.length * 1.3)) : 1;
        const down = Math.ceil(box.open ? box.states.length / box.across : 1);
        box.w = box.open ? box.across * (WIDTH + GAP) - GAP + 2 * INSIDE : WIDTH;
        box.h = box.open ? HEAD + down * (HEIGHT + GAP) - GAP + INSIDE : HEIGHT;
        let stack = stacks.at(-1);
        if (!stack || stack.h + box.h > limit) stacks.push(stack = { boxes: [], w: 0, h: 0 });
        stack.boxes.push(box);
        stack.w = Math.max(stack.w, box.w);
        stack.h += box.h + GAP;
      }
      const left = x;
      for (const stack of stacks) {
        Object.assign(stack, { x, first: stack === stacks[0], last: stack === stacks.at(-1) });
        x += stack.w + 1.5 * GAP;
        columns.push(stack);
      }
      columns.at(-1).heading = { x: left, number };
      x += BETWEEN - 1.5 * GAP;
    });
    const height = Math.max(...columns.map(each => each.h - GAP));
    nodes = [];
    for (const stack of columns) {
      let y = MARGIN + (height - stack.h + GAP) / 2;
      for (const box of stack.boxes) {
        const node = { box, x: stack.x + (stack.w - box.w) / 2, y, w: box.w, h: box.h, first: stack.first, last: stack.last };
        if (box.open) {
          nodes.push({ ...node, group: true, h: 36 });
          box.states.forEach((n, i) => nodes.push({
            state: n, box, w: WIDTH, h: HEIGHT, first: node.first && i % box.across === 0, last: node.last && i % box.across === box.across - 1,
            x: node.x + INSIDE + (i % box.across) * (WIDTH + GAP), y: y + HEAD + Math.floor(i / box.across) * (HEIGHT + GAP),
          }));
        } else nodes.push(box.single ? { ...node, state: box.states[0] } : node);
        y += box.h + GAP;
      }
    }
    size = [x - BETWEEN + MARGIN, height + 2 * MARGIN];
    const nodeOf = [];
    for (const node of nodes) if (!node.group) for (const n of node.state === undefined ? node.box.states : [node.state]) nodeOf[n] = node;
    const found = new Map();
    for (const [source, target, done] of edges) {
      const [from, to] = [nodeOf[source], nodeOf[target]];
      if (from === to) continue;
      const id = `${nodes.indexOf(from)} ${nodes.indexOf(to)}`;
      if (!found.has(id)) found.set(id, { from, to, parts: [], way: false, jump: true });
      const link = found.get(id);
      link.parts.push([source, target, done]);
      link.way ||= states[target].before === source;
      link.jump &&= done.every(([event]) => isJump(event));
    }
    links = [...found.values()];
    return columns;
  };

  const card = node => {
    const { box, state } = node;
    const many = state === undefined;
    const members = many ? box.states : [state];
    const untried = sum(members, n => states[n].untried?.length ?? 0);
    const tried = sum(members, n => new Set(leaving[n].flatMap(edge => edge[2].map(([event]) => event))).size);
    const start = members.some(n => states[n].start), wrong = sum(members, n => trouble[n].length);
    const title = many ? box.name : name(state);
    const shot = make("span", { class: "shot" }, picture(members.find(n => pictures[n]) ?? -1, { alt: "" }) ?? make("span", { text: "no picture" }),
      make("span", { class: "marks" }, start && make("span", { class: "chip start", text: "start" }), wrong && make("span", { class: "chip problem", text: times(wrong, "problem") })));
    const element = make("button", {
      type: "button", tabindex: "-1", class: ["card", start && "start", many && "many"].filter(Boolean).join(" "), title: many ? title : `${title}\n${states[state].url}`,
      "aria-expanded": many ? "false" : null,
      "aria-label": [many ? `${times(members.length, "state")} at ${title}` : `State ${state + 1}: ${title}, ${path(state)}`, start && "the start", `${tried} tried`, `${untried} untried`, wrong && times(wrong, "problem")].filter(Boolean).join(", "),
      click: () => many ? unfold(box, true) : choose({ state }),
    }, shot,
      make("span", { class: "what", text: title }),
      make("span", { class: "where", text: many ? times(members.length, "state") : path(state) || states[state].url }),
      make("span", { class: "foot" }, make("span", { text: many ? `${tried} tried` : `${state + 1} · ${tried} tried` }), untried && make("span", { class: "chip untried", text: `${untried} untried` })));
    return place(element, node.x, node.y);
  };

  const svg = draw("svg", { "aria-hidden": "true" });
  const labels = make("div");
  const render = () => {
    const columns = arrange();
    drawing.replaceChildren();
    for (const { heading } of columns) {
      if (!heading) continue;
      const distances = boxes.filter(box => box.column === heading.number).map(box => Math.min(...box.states.map(n => states[n].distance ?? Infinity)));
      const far = distances[0];
      drawing.append(place(make("p", { class: "column", text: far === 0 ? "start" : far === Infinity ? "no way known" : times(far, "event") + " away" }), heading.x, 14));
    }
    for (const node of nodes) if (node.group) drawing.append(place(make("div", { class: "group" }), node.x, node.y, node.w, node.box.h));
    drawing.append(svg);
    for (const node of nodes) {
      node.element = node.group
        ? place(make("button", { type: "button", class: "fold", tabindex: "-1", "aria-expanded": "true", text: `− ${node.box.name} · ${times(node.box.states.length, "state")}`, click: () => unfold(node.box, false) }), node.x + 6, node.y + 4, node.w - 12)
        : card(node);
      drawing.append(node.element);
      node.element.addEventListener("pointerenter", () => { hovered = node; mark(); });
      node.element.addEventListener("pointerleave", () => { hovered = null; mark(); });
      node.element.addEventListener("focus", () => focusable(node));
    }
    drawing.append(labels);
    svg.setAttribute("width", size[0]);
    svg.setAttribute("height", size[1]);
    focusable(nodes.find(node => chosen?.state !== undefined && node.state === chosen.state) ?? nodes[0]);
    zoom(scale);
    mark();
  };
  const focusable = node => {
    current?.element?.setAttribute("tabindex", "-1");
    current = node;
    node.element.setAttribute("tabindex", "0");
  };

  // Arrows -----------------------------------------------------------------------------------------------------------
  const curve = ({ from, to }) => {
    const forward = to.x >= from.x + from.w, back = to.x + to.w <= from.x;
    const at = forward ? 0.36 : back ? 0.66 : 0.52;
    const y1 = from.y + from.h * at, y2 = to.y + to.h * at;
    const x1 = back ? from.x : from.x + from.w, x2 = forward ? to.x - 5 : to.x + to.w + 5;
    const bend = forward || back ? Math.max(50, Math.abs(x2 - x1) * 0.42) : 66;
    // An arrow over several columns leaves the row of cards it would run along.
    const bow = (back ? 0.16 : -0.16) * Math.max(0, (forward || back ? Math.abs(x2 - x1) : 0) - 1.5 * BETWEEN);
    const points = [x1, back ? x1 - bend : x1 + bend, forward ? x2 - bend : x2 + bend, x2];
    const on = t => {
      const u = 1 - t, weights = [u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t];
      return [sum([0, 1, 2, 3], i => weights[i] * points[i]), weights[0] * y1 + weights[1] * (y1 + bow) + weights[2] * (y2 + bow) + weights[3] * y2];
    };
    // The name of an arrow stands where there is room between columns, best where fewer arrows meet, not on cards.
    const roomy = forward ? to.first || from.last : back ? from.first || to.last : from.last;
    const goal = forward ? (to.first ? x2 - BETWEEN / 2 : x1 + BETWEEN / 2) : from.first ? x1 - BETWEEN / 2 : x2 + BETWEEN / 2;
    let t = 0.5;
    if (forward || back) for (let i = 1, best = Infinity; i < 20; i++) {
      const away = Math.abs(on(i / 20)[0] - goal);
      if (away < best) [best, t] = [away, i / 20];
    }
    const [x, y] = on(t);
    return { d: `M${x1} ${y1}C${points[1]} ${y1 + bow} ${points[2]} ${y2 + bow} ${x2} ${y2}`, middle: [forward || back ? x : x + 46, y], roomy };
  };
  const same = (one, other) => one && other && one.from.box === other.from.box && one.to.box === other.to.box && one.from.state === other.from.state && one.to.state === other.to.state;
  const mark = () => {
    const picked = nodes.filter(node => node === hovered || (chosen?.state !== undefined && node.state === chosen.state));
    const hot = link => same(link, chosen?.link) || picked.some(node => link.from === node || link.to === node && (all || link.way));
    const shown = links.filter(link => hot(link) || (all ? true : link.way)).sort((a, b) => hot(a) - hot(b));
    const lit = shown.filter(hot);
    const named = shown.length <= FEW ? shown : lit.length <= FEW ? lit : [];
    const tip = (id, ...path) => draw("marker", { id, viewBox: "0 0 10 10", refX: "8", refY: "5", markerWidth: "8", markerHeight: "8", markerUnits: "userSpaceOnUse", orient: "auto" }, ...path);
    svg.replaceChildren(draw("defs", {}, tip("arrow", draw("path", { d: "M0 0L10 5L0 10z" })), tip("arrow-hot", draw("path", { d: "M0 0L10 5L0 10z" }))));
    labels.replaceChildren();
    const taken = [];
    for (const link of shown) {
      const { d, middle: [x, y], roomy } = curve(link);
      const tone = hot(link) ? "hot" : lit.length || !link.way && shown.length > FEW ? "faint" : "";
      svg.append(draw("path", { d, class: `edge ${tone} ${link.jump ? "jump" : ""}`, "marker-end": `url(#arrow${hot(link) ? "-hot" : ""})` }));
      if (!named.includes(link) || !roomy && !hot(link)) continue;
      let top = y;
      for (const step of [0, 22, -22, 44, -44, 66, -66]) {
        top = y + step;
        if (!taken.some(([a, b]) => Math.abs(a - x) < 130 && Math.abs(b - top) < 21)) break;
      }
      taken.push([x, top]);
      const kinds = new Set(link.parts.flatMap(part => part[2].map(([event]) => event)));
      const text = kinds.size === 1 ? events[[...kinds][0]] : times(kinds.size, "event");
      labels.append(place(make("button", { type: "button", tabindex: "-1", class: `label ${tone} ${same(link, chosen?.link) ? "chosen" : ""}`, title: text, text, click: () => choose({ link }) }), x, top));
    }
    const fits = n => !search || `${n + 1} ${states[n].title} ${states[n].url}`.toLowerCase().includes(search);
    for (const node of nodes) {
      if (node.group) continue;
      node.element.classList.toggle("chosen", chosen?.state !== undefined && node.state === chosen.state || chosen?.box !== undefined && node.box === chosen.box && node.state === undefined);
      node.element.classList.toggle("other", !(node.state === undefined ? node.box.states.some(fits) : fits(node.state)));
    }
    byId("all").setAttribute("aria-pressed", String(all));
    byId("ways").setAttribute("aria-pressed", String(!all));
  };

  // Size and place ---------------------------------------------------------------------------------------------------
  const zoom = (wanted, x = canvas.clientWidth / 2, y = canvas.clientHeight / 2) => {
    const before = scale, shift = drawing.shift ?? [0, 0];
    const at = [(canvas.scrollLeft + x - shift[0]) / before, (canvas.scrollTop + y - shift[1]) / before];
    scale = Math.min(2, Math.max(0.15, wanted));
    const [width, height] = [size[0] * scale, size[1] * scale];
    room.style.width = `${width}px`;
    room.style.height = `${height}px`;
    drawing.shift = [Math.max(0, (canvas.clientWidth - width) / 2), Math.max(0, (canvas.clientHeight - height) / 2)];
    drawing.style.transform = `translate(${drawing.shift[0]}px, ${drawing.shift[1]}px) scale(${scale})`;
    canvas.scrollLeft = at[0] * scale + drawing.shift[0] - x;
    canvas.scrollTop = at[1] * scale + drawing.shift[1] - y;
  };
  const fitting = () => Math.min(1, canvas.clientWidth / size[0], canvas.clientHeight / size[1]);
  const reveal = node => node?.element.scrollIntoView({ block: "nearest", inline: "nearest" });
  const show = node => {
    if (!node) return;
    canvas.scrollLeft = (node.x + node.w / 2) * scale - canvas.clientWidth / 2;
    canvas.scrollTop = (node.y + node.h / 2) * scale - canvas.clientHeight / 2;
  };

  // Choosing ---------------------------------------------------------------------------------------------------------
  const unfold = (box, open) => {
    box.open = open;
    chosen = { box };
    render();
    describe();
    const node = nodes.find(each => each.box === box);
    node.element.focus({ preventScroll: true });
    reveal(node);
  };
  const choose = (what, far = false) => {
    const closed = what.state !== undefined && !boxOf[what.state].single && !boxOf[what.state].open;
    chosen = what;
    if (closed) {
      boxOf[what.state].open = true;
      render();
    } else mark();
    describe();
    if (what.state === undefined) return;
    const node = nodes.find(each => each.state === what.state);
    focusable(node);
    if (far || closed) show(node);
    byId("status").textContent = `State ${what.state + 1} is chosen: ${name(what.state)}`;
  };
  const go = (n, words) => make("button", { type: "button", class: "go", text: words ?? `state ${n + 1}`, title: name(n), click: () => choose({ state: n }, true) });

  const section = (title, ...content) => make("section", {}, make("h4", { text: title }), ...content);
  const list = (items, build, kind = "") => {
    const part = some => make("ul", { class: kind }, ...some.map(build));
    return make("div", {}, part(items.slice(0, FEW)), items.length > FEW && make("details", {}, make("summary", { text: `${items.length - FEW} more` }), part(items.slice(FEW))));
  };
  const way = n => {
    const steps = [];
    for (let at = n; states[at].before !== undefined && states[at].before !== null; at = states[at].before) steps.unshift([states[at].by ?? 0, at]);
    return steps;
  };
  const describeState = n => {
    const state = states[n];
    const led = new Map();
    for (const [, target, done] of leaving[n]) for (const [event, count] of done) (led.get(event) ?? led.set(event, []).get(event)).push([target, count]);
    const untried = state.untried ?? [], steps = way(n), neighbours = state.neighbours ?? [];
    const distance = state.start ? "the start" : state.distance === undefined || state.distance === null ? "no way known" : `${times(state.distance, "event")} from the start`;
    const parts = [
      make("p", { class: "tags" }, make("span", { class: "number", text: `State ${n + 1}` }), state.start && make("span", { class: "chip start", text: "start" })),
      make("h3", {}, make("bdi", { text: name(n) })),
      make("p", { class: "address" }, make("bdi", { text: state.url })),
      picture(n, { class: "large", alt: `The page in state ${n + 1}` }),
      make("p", { class: "seen", text: `Seen ${times(state.visits, "time")}, ${distance}.` }),
      trouble[n].length > 0 && section("What went wrong on the way here", make("ul", { class: "problems" }, ...trouble[n].map(m => make("li", {}, make("a", { href: `#${problems[m].address}`, text: problems[m].title }))))),
      steps.length > 0 && section("How to get there", make("ol", { class: "way" }, ...steps.map(([event, at]) => make("li", {}, make("span", { text: events[event] }), at === n ? null : go(at))))),
      section(`Tried here (${led.size})`, led.size
        ? list([...led], ([event, targets]) => make("li", {}, make("span", { class: "event", text: events[event] }), make("span", { class: "led" },
            ...targets.flatMap(([target, count], i) => [i ? ", " : "→ ", target === n ? "stays here" : go(target), count > 1 ? ` ${count}×` : ""]))))
        : make("p", { class: "led", text: "Nothing was done here." })),
      untried.length > 0 && section(`Not tried here (${untried.length})`, list(untried, event => make("li", { text: events[event] }), "open")),
    ];
    if (neighbours.length) {
      const words = make("p", { class: "why" });
      const tell = i => { words.textContent = neighbours[i].words; };
      const select = make("select", { "aria-label": "Compare with" }, ...neighbours.map((each, i) => make("option", { value: i, text: `state ${each.state + 1}: ${name(each.state)}`.slice(0, 60) })));
      select.addEventListener("change", () => tell(Number(select.value)));
      tell(0);
      parts.push(section("Why it is a state of its own", make("p", { class: "led" }, "This state is the first, the second is ", select), words));
    }
    if (state.structure) parts.push(make("details", {}, make("summary", { text: "What it is told by" }), make("pre", { text: state.structure })));
    return parts;
  };
  const describeLink = ({ from, to, parts }) => {
    const end = node => node.state === undefined ? make("span", { text: node.box.name }) : go(node.state, `state ${node.state + 1}: ${name(node.state)}`);
    const done = parts.flatMap(([source, target, some]) => some.map(([event, count]) => ({ source, target, event, count })));
    const single = from.state !== undefined && to.state !== undefined;
    return [
      make("p", { class: "tags" }, make("span", { class: "number", text: times(done.length, "event") })),
      make("p", {}, "From ", end(from)), make("p", {}, "to ", end(to)),
      section("What leads there", list(done, ({ source, target, event, count }) => make("li", {}, make("span", { class: "event", text: events[event] }),
        make("span", { class: "led" }, ...single ? [] : [go(source), " → ", go(target), ", "], times(count, "time"))))),
    ];
  };
  const describeBox = box => {
    const inside = sum(box.states, n => sum(leaving[n].filter(edge => boxOf[edge[1]] === box), edge => edge[2].length));
    return [
      make("p", { class: "tags" }, make("span", { class: "number", text: times(box.states.length, "state") })),
      make("h3", {}, make("bdi", { text: box.name })),
      make("p", { class: "seen", text: `They have addresses of one kind. Events that lead from one of them to another, or back to the same: ${inside.toLocaleString("en")}.` }),
      section("States", list(box.states, n => make("li", {}, go(n, `state ${n + 1}: ${name(n)}`), " ", states[n].untried?.length ? make("span", { class: "led", text: `${states[n].untried.length} untried` }) : null))),
    ];
  };
  const describe = () => {
    const parts = chosen.link ? describeLink(chosen.link) : chosen.box ? describeBox(chosen.box) : describeState(chosen.state);
    details.replaceChildren(...parts.filter(Boolean));
    details.scrollTop = 0;
  };

  // Keys and pointers ------------------------------------------------------------------------------------------------
  const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const beside = (node, [dx, dy]) => {
    let best = null, least = Infinity;
    for (const other of nodes) {
      const x = other.x + other.w / 2 - node.x - node.w / 2, y = other.y + other.h / 2 - node.y - node.h / 2;
      const along = x * dx + y * dy, aside = Math.abs(x * dy) + Math.abs(y * dx);
      if (other === node || along <= 10 || along < aside / 4) continue;
      if (along + 2 * aside < least) [best, least] = [other, along + 2 * aside];
    }
    return best;
  };
  canvas.addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const acts = { "+": () => zoom(scale * 1.25), "=": () => zoom(scale * 1.25), "-": () => zoom(scale / 1.25), 0: () => zoom(fitting()) };
    const act = DIRECTIONS[event.key] ? () => beside(current, DIRECTIONS[event.key])?.element.focus() : acts[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
  byId("larger").addEventListener("click", () => zoom(scale * 1.25));
  byId("smaller").addEventListener("click", () => zoom(scale / 1.25));
  byId("fit").addEventListener("click", () => zoom(fitting()));
  byId("all").addEventListener("click", () => { all = true; mark(); });
  byId("ways").addEventListener("click", () => { all = false; mark(); });
  canvas.addEventListener("wheel", event => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const { left, top } = canvas.getBoundingClientRect();
    zoom(scale * Math.exp(-event.deltaY / 300), event.clientX - left, event.clientY - top);
  }, { passive: false });
  canvas.addEventListener("pointerdown", event => {
    if (event.pointerType !== "mouse" || event.button !== 0 || event.target.closest("button")) return;
    const from = [event.clientX + canvas.scrollLeft, event.clientY + canvas.scrollTop];
    const move = now => {
      canvas.scrollLeft = from[0] - now.clientX;
      canvas.scrollTop = from[1] - now.clientY;
    };
    const end = () => {
      canvas.classList.remove("dragging");
      canvas.removeEventListener("pointermove", move);
    };
    canvas.classList.add("dragging");
    canvas.setPointerCapture(event.pointerId);
    canvas.addEventListener("pointermove", move);
    for (const kind of ["pointerup", "pointercancel"]) canvas.addEventListener(kind, end, { once: true });
  });

  const found = () => states.map((_, n) => n).filter(n => `${n + 1} ${states[n].title} ${states[n].url}`.toLowerCase().includes(search));
  byId("search").addEventListener("input", event => {
    search = event.target.value.trim().toLowerCase();
    byId("status").textContent = search ? `${times(found().length, "state")} found` : "";
    mark();
  });
  byId("search").addEventListener("keydown", event => {
    const fit = found();
    if (event.key !== "Enter" || !search || !fit.length) return;
    choose({ state: fit.find(n => n > (chosen?.state ?? -1)) ?? fit[0] }, true);
  });
  document.addEventListener("keydown", event => {
    if (event.key !== "/" || event.defaultPrevented || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return;
    event.preventDefault();
    byId("search").focus();
  }, { signal });
  const asked = hash => {
    const n = Number(/^#state-(\d+)$/.exec(hash)?.[1]) - 1;
    if (!states[n]) return false;
    choose({ state: n }, true);
    byId("model").scrollIntoView();
    return true;
  };
  document.addEventListener("click", event => {
    const link = event.target.closest?.('a[href^="#state-"]');
    if (link && asked(link.getAttribute("href"))) event.preventDefault();
  }, { signal });
  addEventListener("resize", () => zoom(scale), { signal });

  // Beginning --------------------------------------------------------------------------------------------------------
  const first = Math.max(0, states.findIndex(state => state.start));
  chosen = boxOf[first].single ? { state: first } : { box: boxOf[first] };
  render();
  all = links.length <= FEW;
  zoom(Math.max(0.75, fitting()));
  mark();
  describe();
  show(nodes.find(node => node.box === boxOf[first]));
  if (location.hash) asked(location.hash);
};
