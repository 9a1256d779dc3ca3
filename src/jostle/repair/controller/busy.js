// What the user notices while an event waits: the element is busy, for the eye and for a screen reader. The focus stays where
// it is and moves as ever.
(repair) => {
  const MARK = "data-jostle-waits";
  const { policy } = repair;
  const shown = new Map(); // element -> {count, before}
  let sheet, status;

  const announce = (text) => {
    if (!policy.message && policy.message !== undefined) return;
    if (!status) {
      if (!text) return;
      status = document.createElement("div");
      status.setAttribute("role", "status");
      Object.assign(status.style, { position: "fixed", width: "1px", height: "1px", overflow: "hidden", clipPath: "inset(50%)" });
      document.documentElement.append(status);
    }
    if (text) repair.nextTask().then(() => { if (status) status.textContent = text; }); // a change is what is read out
    else {
      status.remove();
      status = null;
    }
  };
  const style = () => {
    if (sheet) return;
    sheet = new CSSStyleSheet();
    sheet.replaceSync(`[${MARK}]{cursor:progress!important;opacity:.6}`);
    document.adoptedStyleSheets.push(sheet);
  };
  const mark = (element) => {
    const known = shown.get(element);
    if (known) return known.count++;
    shown.set(element, { count: 1, before: element.getAttribute("aria-busy") });
    style();
    element.setAttribute("aria-busy", "true");
    element.setAttribute(MARK, "");
  };
  const unmark = (element) => {
    const known = shown.get(element);
    if (!known || --known.count) return;
    shown.delete(element);
    element.removeAttribute(MARK);
    if (known.before === null) element.removeAttribute("aria-busy");
    else element.setAttribute("aria-busy", known.before);
  };
  repair.busy = (event, begins) => {
    const { element } = event;
    if (event.kind !== "user" || element?.nodeType !== 1) return;
    const marked = event.text ? null : element.closest("a,button,label,summary,[role]") ?? element;
    if (begins) {
      event.marked = marked;
      if (marked) mark(marked);
      announce(policy.message ?? "Please wait…");
    } else {
      if (event.marked) unmark(event.marked);
      if (!shown.size) announce("");
    }
  };
  // Something was discarded: the pointer says so for a moment.
  repair.blink = (event) => {
    if (event.kind !== "user" || event.element?.nodeType !== 1) return;
    repair.busy(event, true);
    repair.later(() => repair.busy(event, false), 300);
  };

  // Elements that are shown as busy for as long as a rule lives.
  const always = policy.rules.filter(({ busy, match }) => busy && match?.selector);
  if (!always.length) return;
  const held = new Map();
  const refresh = () => {
    for (const rule of always) {
      const over = repair.expired(rule);
      for (const element of document.querySelectorAll(rule.match.selector)) {
        if (over === held.has(element)) {
          if (over) { held.delete(element); unmark(element); } else { held.set(element, rule); mark(element); }
        }
      }
    }
  };
  const observer = new MutationObserver(() => repair.drain());
  observer.observe(document, { subtree: true, childList: true });
  repair.refresh = refresh;
  repair.marking = () => held.size > 0;
  repair.undoing(() => { observer.disconnect(); for (const element of held.keys()) unmark(element); });
}
