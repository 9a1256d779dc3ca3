"use strict";
// The report comes to life. Gives how it is used just now, and ends; `used` is how it was used before.
const showReport = (used = null) => {
  const ending = new AbortController(), { signal } = ending;
  const byId = id => document.getElementById(id);
  const articles = [...document.querySelectorAll(".finding")];
  const opener = article => article.querySelector(".opener");
  const body = article => article.querySelector(".body");
  const count = (number, noun) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;

  // Stories lie in the document as texts. Elements are made of one when it is opened for the first time. ------------
  let known = null;
  const testOf = name => {
    known ??= JSON.parse(byId("tests").textContent);
    return (known.tests[name] ?? []).map(n => known.blocks[n]).join("\n\n");
  };
  const withCopy = text => {
    const copy = document.createElement("button"), frame = document.createElement("div");
    copy.type = "button";
    copy.className = "copy";
    copy.textContent = "Copy";
    copy.setAttribute("aria-label", text.classList.contains("test") ? "Copy the test" : `Copy ${text.textContent}`);
    frame.className = "copied";
    text.replaceWith(frame);
    frame.append(text, copy);
  };
  const fill = article => {
    const place = body(article);
    if (place.hasChildNodes()) return;
    const made = document.createElement("template"); // nothing in it is loaded before its pictures are set
    made.innerHTML = byId(article.dataset.story).textContent;
    for (const image of made.content.querySelectorAll('image[href^="#picture-"]')) {
      image.setAttribute("href", `data:image/png;base64,${byId(image.getAttribute("href").slice(1)).textContent}`);
    }
    // Hundreds of stories would make hundreds of landmarks, all of the same names.
    for (const part of made.content.querySelectorAll("[role=region], section[aria-label]")) part.setAttribute("role", "group");
    for (const test of made.content.querySelectorAll("pre.test")) test.textContent = testOf(test.dataset.test);
    for (const text of made.content.querySelectorAll("pre.command, pre.test")) withCopy(text);
    place.append(made.content);
    for (const pair of place.querySelectorAll("h4 + .pair")) {
      if (pair.querySelectorAll("image").length === 2) pair.before(...comparing(pair));
    }
  };
  const open = (article, wanted = true) => {
    if (wanted) fill(article);
    body(article).hidden = !wanted;
    opener(article).setAttribute("aria-expanded", String(wanted));
    article.classList.toggle("open", wanted);
  };
  const isOpen = article => !body(article).hidden;

  // Filters ----------------------------------------------------------------------------------------------------------
  const texts = new Map(), ENTITIES = { "&lt;": "<", "&gt;": ">", "&#34;": '"', "&#39;": "'", "&amp;": "&" };
  const textOf = article => {
    if (!texts.has(article)) {
      const story = byId(article.dataset.story).textContent.replace(/<[^>]*>/g, " ").replace(/&(?:lt|gt|amp|#34|#39);/g, found => ENTITIES[found]);
      texts.set(article, `${article.querySelector("h3").textContent} ${article.querySelector(".tags").textContent} ${story}`.toLowerCase());
    }
    return texts.get(article);
  };
  const filters = byId("filters");
  const severities = filters ? [...filters.querySelectorAll("[data-severity]")] : [];
  const isPressed = button => button.getAttribute("aria-pressed") === "true";
  const filter = () => {
    const wanted = byId("filter").value.trim().toLowerCase();
    const pressed = new Set(severities.filter(isPressed).map(button => button.dataset.severity));
    const kind = byId("kind").value, technique = byId("technique").value;
    let number = 0;
    for (const article of articles) {
      const fits = pressed.has(article.dataset.severity) && (!kind || article.dataset.kind === kind) && (!technique || article.dataset.technique === technique)
        && (!wanted || textOf(article).includes(wanted));
      article.hidden = !fits;
      number += fits;
    }
    byId("shown").textContent = number === articles.length ? count(number, "finding") : `${number.toLocaleString("en")} of ${count(articles.length, "finding")}`;
    byId("reset").hidden = number === articles.length && pressed.size === severities.length && !wanted && !kind && !technique;
    byId("none").hidden = number > 0;
    unfolding();
  };
  const show = ({ text = "", severity = null, kind = "", technique = "" } = {}) => {
    byId("filter").value = text;
    byId("kind").value = kind;
    byId("technique").value = technique;
    for (const button of severities) button.setAttribute("aria-pressed", String(!severity || button.dataset.severity === severity));
    filter();
  };
  const visible = () => articles.filter(article => !article.hidden);
  const unfolding = () => { byId("unfold").textContent = visible().some(article => !isOpen(article)) ? "Open all" : "Fold all"; };

  if (filters) {
    byId("filter").addEventListener("input", filter);
    byId("filter").addEventListener("keydown", event => {
      if (event.key !== "Enter") return;
      event.preventDefault(); // else the same key would open it
      if (visible().length) opener(visible()[0]).focus();
    });
    for (const select of [byId("kind"), byId("technique")]) select.addEventListener("change", filter);
    for (const button of severities) {
      button.addEventListener("click", () => { button.setAttribute("aria-pressed", String(!isPressed(button))); filter(); });
    }
    byId("reset").addEventListener("click", () => { show(); byId("filter").focus(); });
    byId("unfold").addEventListener("click", () => {
      const wanted = visible().some(article => !isOpen(article));
      for (const article of visible()) open(article, wanted);
      unfolding();
    });
    for (const link of document.querySelectorAll(".matrix a")) {
      link.addEventListener("click", () => show({ severity: link.dataset.severity, kind: link.dataset.kind }));
    }
  }

  // Opening, by pointer, key and address -----------------------------------------------------------------------------
  for (const article of articles) {
    const button = opener(article);
    button.addEventListener("click", () => {
      open(article, !isOpen(article));
      if (isOpen(article)) try { history.replaceState(null, "", `#${encodeURIComponent(article.id)}`); } catch { /* not from this address */ }
      unfolding();
    });
    button.addEventListener("keydown", event => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
      const all = visible(), at = all.indexOf(article);
      const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      if (all[to]) opener(all[to]).focus();
    });
  }
  const drawn = { model: false };
  const draw = () => {
    if (drawn.model || !byId("model")) return;
    drawn.model = true;
    showModel({ signal });
  };
  const asked = () => {
    let id = location.hash.slice(1);
    try { id = decodeURIComponent(id); } catch { /* as it is */ }
    const article = articles.find(each => each.id === id);
    if (article) {
      if (article.hidden) show();
      open(article);
      unfolding();
      article.scrollIntoView();
      opener(article).focus({ preventScroll: true });
    } else if (/^state-\d+$/.test(id)) draw();
    return Boolean(article);
  };
  addEventListener("hashchange", asked, { signal });
  document.addEventListener("click", event => { if (event.target.closest?.('a[href^="#state-"]')) draw(); }, { capture: true, signal });
  document.addEventListener("keydown", event => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || !filters) return;
    if (/^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName) || event.target.closest?.("#model")) return;
    event.preventDefault();
    byId("filter").focus();
  }, { capture: true, signal });
  addEventListener("beforeprint", () => { for (const article of visible().slice(0, 50)) open(article); }, { signal });

  // How it is used, so that it can go on in the same way with a newer report. ----------------------------------------
  const how = () => ({
    open: articles.filter(isOpen).map(article => article.id),
    filters: filters && {
      text: byId("filter").value, kind: byId("kind").value, technique: byId("technique").value,
      off: severities.filter(button => !isPressed(button)).map(button => button.dataset.severity),
    },
  });
  const goOn = () => {
    for (const article of articles) if (used.open.includes(article.id)) open(article);
    if (filters && used.filters) {
      byId("filter").value = used.filters.text;
      for (const name of ["kind", "technique"]) {
        byId(name).value = used.filters[name];
        if (byId(name).selectedIndex < 0) byId(name).value = "";
      }
      for (const button of severities) button.setAttribute("aria-pressed", String(!used.filters.off.includes(button.dataset.severity)));
      filter();
    }
  };

  if (used) goOn();
  else if (asked()) addEventListener("load", () => setTimeout(asked)); // the browser goes to the address once more
  else if (articles.length) {
    open(articles[0]);
    unfolding();
  }
  if (byId("model")) {
    const near = new IntersectionObserver(seen => {
      if (!seen.some(each => each.isIntersecting)) return;
      near.disconnect();
      draw();
    }, { rootMargin: "800px" });
    near.observe(byId("model"));
    signal.addEventListener("abort", () => near.disconnect());
  }
  return { how, end: () => ending.abort() };
};
let reportShown = showReport(); // oxlint-disable-line prefer-const -- live.js shows another one
