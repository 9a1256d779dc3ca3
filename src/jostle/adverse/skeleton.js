// The structure of what a document shows, without its data: for telling whether two situations are alike.
(() => {
  const SKIPPED = new Set(["SCRIPT", "STYLE", "TEMPLATE", "NOSCRIPT", "HEAD", "LINK", "META", "BR"]);
  const MOST = 20000;
  let seen = 0;
  const shown = (el) => {
    if (el.hidden || SKIPPED.has(el.tagName) || (el.tagName === "DIALOG" && !el.open)) return false;
    if (el.checkVisibility && !el.checkVisibility({ visibilityProperty: true })) return getComputedStyle(el).display === "contents";
    const box = el.getBoundingClientRect();
    return box.width > 0 || box.height > 0 || el.childElementCount > 0;
  };
  const one = (el) => {
    if (++seen > MOST) return "";
    const marks = [el.tagName.toLowerCase()];
    const role = el.getAttribute("role"), expanded = el.getAttribute("aria-expanded");
    if (role) marks.push(":" + role);
    if (el.type && /^(INPUT|BUTTON)$/.test(el.tagName)) marks.push("=" + el.type);
    if (el.disabled) marks.push("-disabled");
    if (el.checked) marks.push("+checked");
    if (expanded) marks.push("+expanded=" + expanded);
    if (el.open) marks.push("+open");
    let kids;
    if (el.tagName === "IFRAME") {
      try { kids = el.contentDocument?.body ? [one(el.contentDocument.body)] : []; } catch { kids = []; }
    } else {
      kids = all(el.shadowRoot ? [...el.shadowRoot.children, ...el.children] : el.children);
    }
    return marks.join("") + (kids.length ? "(" + kids.join(" ") + ")" : "");
  };
  // A row of equal ones is one.
  const all = (elements) => {
    const out = [];
    for (const el of elements) {
      if (!shown(el)) continue;
      const text = one(el);
      if (text && out[out.length - 1] !== text) out.push(text);
    }
    return out;
  };
  const route = location.pathname.split("/").map((part) => (/\d|^[0-9a-f-]{16,}$/i.test(part) ? "#" : part)).join("/");
  return route + " " + (document.body ? one(document.body) : "");
})()
