"use strict";
// A report that is served while its run goes on: what is new comes in without disturbing who reads.
(() => {
  const byId = id => document.getElementById(id);
  const count = number => `${number.toLocaleString("en")} finding${number === 1 ? "" : "s"}`;
  let version = byId("live").dataset.version, wanted = version, busy = false, findings = document.querySelectorAll(".finding").length;

  // What a story says, apart from the numbers of its pictures.
  const said = (from, article) => from.getElementById(article.dataset.story)?.textContent.replace(/#picture-\d+/g, "#picture");

  const take = fresh => {
    const how = reportShown.how(), active = document.activeElement, focused = active?.closest(".finding")?.id, field = active?.id;
    const within = focused && !active.classList.contains("opener") ? active : null;
    const seen = [...document.querySelectorAll(".finding")].find(each => !each.hidden && each.getBoundingClientRect().bottom > 60);
    const at = seen?.getBoundingClientRect().top, id = seen?.id, scrolled = scrollY;
    const caret = active?.matches?.("input[type=search]") ? active.selectionStart : null;
    reportShown.end();

    // An open story that says the same stays as it is: its slider, its place, what is selected in it.
    for (const article of document.querySelectorAll(".finding.open")) {
      const next = fresh.getElementById(article.id);
      if (next && said(document, article) === said(fresh, next)) {
        next.querySelector(".body").append(...article.querySelector(".body").childNodes);
      }
    }
    document.title = fresh.title;
    const live = byId("live");
    document.body.replaceChildren(...fresh.body.childNodes);
    byId("live").replaceWith(live);
    reportShown = showReport(how);

    if (seen && byId(id)) scrollBy({ top: byId(id).getBoundingClientRect().top - at, behavior: "instant" });
    else scrollTo({ top: scrolled, behavior: "instant" });
    const again = within?.isConnected ? within : focused ? byId(focused)?.querySelector(".opener") : field ? byId(field) : null;
    again?.focus({ preventScroll: true });
    if (caret !== null && again?.setSelectionRange) again.setSelectionRange(caret, caret);
  };

  const update = async () => {
    if (busy || version === wanted) return;
    busy = true;
    try {
      const answer = await fetch("/", { cache: "no-store" });
      if (!answer.ok) throw new Error(`status ${answer.status}`);
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
      const given = fresh.getElementById("live")?.dataset.version;
      if (given !== version) take(fresh);
      version = given;
      if (version !== wanted && !ended) setTimeout(update, 1000); // it changed meanwhile
    } catch {
      setTimeout(update, 3000);
    } finally {
      busy = false;
    }
  };

  let ended = false;
  const say = (words, tone) => {
    byId("live").dataset.tone = tone;
    byId("live-words").textContent = words;
  };
  const source = new EventSource("/events");
  source.addEventListener("message", event => {
    const told = JSON.parse(event.data);
    ended = told.status !== "running";
    wanted = told.version;
    const words = { running: "The run is going on", finished: "The run has ended", interrupted: "The run was interrupted", failed: "The run failed" };
    say(`${words[told.status] ?? told.status}: ${count(told.findings)}`, ended ? "over" : "going");
    byId("live-now").textContent = ended ? "" : told.now;
    if (told.findings > findings) byId("live-news").textContent = `New: ${told.newest}`;
    findings = told.findings;
    update();
  });
  source.addEventListener("error", () => say("jostle does not answer any more. This is what was known.", "lost"));
})();
