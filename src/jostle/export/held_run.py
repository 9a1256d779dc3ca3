"""Runs of an application in which answers can be held. Copied into generated tests (`race_test`), imported by nothing.

What a user may want to change stands at the top; it needs Playwright only.
"""

import re
import time
from collections import Counter
from collections.abc import Callable, Sequence
from difflib import SequenceMatcher
from itertools import takewhile
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, Dialog, Error, Frame, Locator, Page, Request, Route, WebSocketRoute
from playwright.sync_api import TimeoutError as TimedOut

LONGEST = 10.0  # seconds that the page is given to come to rest
TURN = 1.0  # seconds that a request waits for the answers to those before it
ASKED = 5.0  # seconds that are waited for a request which the finding is about
PATIENCE = 10.0  # seconds after which the user is said to be unable to do something
SHORT = 1000  # milliseconds; shorter timers are waited for
LOOKS = False  # whether classes and data of elements, by which they look otherwise, are compared too
MOST = 20  # differences that are told

# Of an answer: method, address (“…” stands for anything), which of these requests, from 1. Of others: "message" and the
# path of a WebSocket, "timeout" and its milliseconds.
Late = Sequence[tuple[str, str, int]]
End = list[tuple[str, str]]  # what a run ended in: a place and what is there


class Run:
    """The application in a browser context of its own. What an earlier run was answered is answered again."""

    def __init__(
        self, context: BrowserContext, answers: dict[Any, Any], own: tuple[str, ...], sockets: bool = False
    ) -> None:
        self.context = context
        self.answers = answers
        self.own = own
        self.longest = LONGEST
        self.late: list[tuple[str, str, int]] = []
        self.awaited: Late = ()  # what the finding is about
        self.ordered: Late = ()  # nothing that is asked for after these comes before them when they are not late
        self.counts: Counter[Any] = Counter()
        self.asked: Counter[Any] = Counter()
        self.begun: Counter[str] = Counter()
        self.missed: dict[str, float] = {}
        self.busy: dict[Request, None] = {}  # not answered, in the order in which they were made
        self.loaded = False
        self.slow: set[Request] = set()  # not waited for by others
        self.given_up: set[Request] = set()  # the page was said to rest without their answers
        self.held: dict[Request, tuple[int, Any, Route, Any]] = {}  # which of all and of the late it is, its answer
        self.at_server: dict[Request, Any] = {}
        self.told: End = []
        self.messages: list[tuple[Any, WebSocketRoute, str | bytes]] = []  # held
        self.spoken = 0.0  # when the page opened a socket or sent a message that was not answered yet
        self.sockets = sockets
        if sockets:
            context.route_web_socket(re.compile("^wss?:"), self.socket)
        context.add_init_script(AGENT.replace("SOCKETS", "true" if sockets else "false"))
        context.route(re.compile("^https?:"), self.route)
        context.on("request", self.begins)
        context.on("requestfinished", self.finished)
        context.on("requestfailed", self.failed)
        context.on("weberror", lambda got: self.tell("error", re.sub(r"\d+", "", str(got.error)), str(got.error)))
        context.on("dialog", self.accept)

    def hold(self, late: Late, awaited: Late = ()) -> None:
        """From now on hold these answers. `awaited`: what `rest_after` is to wait for."""
        self.late = list(late)
        self.awaited = awaited
        self.counts.clear()
        timers = [[float(delay), number] for method, delay, number in late if method == "timeout"]
        if timers:
            self.context.add_init_script(f"window[Symbol.for('held timers')] = {timers}")

    def release(self, only: Late = ()) -> None:
        """Let the held answers come, or some of them only, in the order in which they were asked for."""
        free = list(only or self.late)
        self.late = [each for each in self.late if each not in free]
        while ready := [each for each in self.held if not only or self.held[each][1] in free]:
            request = min(ready, key=lambda each: self.held[each][0])
            _, _, route, answer = self.held.pop(request)
            self.give(request, route, answer)
            self.rest()
        while message := next((each for each in self.messages if not only or each[0] in free), None):
            self.messages.remove(message)
            message[1].send(message[2])
            self.rest()
        timers = [[float(delay), number] for method, delay, number in free if method == "timeout"]
        if timers:
            for page in self.context.pages:
                for frame in documents(page):
                    frame.evaluate("timers => window[Symbol.for('release timers')]?.(timers)", timers)
            self.rest()

    def rest(self) -> None:
        """Wait until nothing happens any more, except for answers that are held."""
        end = time.monotonic() + self.longest
        while not self.is_quiet():
            if time.monotonic() > end:  # it never rests, or waits for an answer that does not come
                self.longest = LONGEST / 4
                self.given_up |= self.busy.keys() - self.held.keys()
                self.busy.clear()
                break
        self.loaded = True

    def rest_after(self, asking: Late) -> None:
        """Rest, when the page has asked for these as well: a timer may have to fire first, or a server to answer."""
        self.rest()
        end = time.monotonic() + ASKED
        while time.monotonic() < end and not all(map(self.has_asked, asking)):
            self.context.pages[-1].wait_for_timeout(20)
            self.rest()

    def has_asked(self, awaited: tuple[str, str, int]) -> bool:
        method, address, number = awaited
        if method == "timeout" or awaited not in self.awaited:  # the page itself knows of timers
            return True
        return self.counts[address if method == "message" else (method, address)] >= number

    def is_quiet(self) -> bool:
        """Whether no answer is missing, no short timer is running and nothing happens for two animation frames."""
        before = self.begun.total()
        try:
            for page in self.context.pages:
                if self.is_waiting():
                    page.wait_for_timeout(10)
                    return False
                page.locator(":root").wait_for(state="attached", timeout=1000 * LONGEST)  # does it react at all?
                for frame in documents(page):
                    sent = frame.evaluate("window[Symbol.for('sent when quiet')]?.() ?? {}")
                    if sent is None or not self.has_heard_of(sent):
                        return False
        except TimedOut:
            raise AssertionError(f"The page has not reacted for {LONGEST:g} seconds.") from None
        except Error:  # it is just being replaced
            time.sleep(0.02)
            return False
        return not self.is_waiting() and self.begun.total() == before

    def has_heard_of(self, sent: dict[str, int]) -> bool:
        """Whether what the page says to have sent has come here, which takes a moment; some things never come."""
        for address, times in sent.items():
            if times <= self.begun[address]:
                self.missed.pop(address, None)
            elif time.monotonic() < self.missed.setdefault(address, time.monotonic()) + TURN:
                return False
        return True

    def is_waiting(self) -> bool:
        return bool(self.busy.keys() - self.held.keys()) or time.monotonic() < self.spoken + TURN

    def can(self, step: Callable[[Page], Page], page: Page, place: Locator) -> Page | None:
        """Do a step on a page at rest; None if the user cannot do it now."""
        self.context.set_default_timeout(1000 * PATIENCE)
        try:
            return None if place.count() == 0 or place.is_disabled() else step(page)
        except TimedOut:
            return None
        finally:
            self.context.set_default_timeout(30_000)

    def shows(self, wanted: Locator) -> bool:
        """Wait until an element is seen by the user. False if it does not come while answers are held."""
        end, quiet = time.monotonic() + self.longest, False
        while not quiet and time.monotonic() < end:
            quiet = self.is_quiet()
            try:
                if wanted.is_visible() and wanted.page.evaluate("performance.getEntriesByType('paint').length > 0"):
                    return True
            except Error:  # the page is just being replaced
                quiet = False
        return False

    def end(self, page: Page) -> End:
        """What there is to see on the page, and what happened on the way to it."""
        try:
            seen = self.seen(page)
        except Error:  # it was just being replaced
            self.rest()
            seen = self.seen(page)
        self.answers.setdefault(ENDLESS, set()).update(map(kind_of, self.given_up))
        self.context.close()
        return seen + sorted(self.told)

    def seen(self, page: Page) -> End:
        address = urlsplit(page.url)
        found = [("address", f"address: {address._replace(scheme='', netloc='').geturl()}")]
        look = SEEN.replace("LOOKS", str(LOOKS).lower())
        for number, frame in enumerate(documents(page)):
            if frame.url.startswith((*self.own, "about:")):
                found += [(f"{place} in {number}", what) for place, what in frame.evaluate(look)]
        return found

    def tell(self, kind: str, place: str, what: str) -> None:
        self.told.append((f"{kind} {place}", f"{kind}: {' '.join(what.split())}"))

    def accept(self, dialog: Dialog) -> None:
        self.tell("dialog", dialog.type, dialog.message)
        dialog.accept(dialog.default_value)

    def begins(self, request: Request) -> None:
        self.begun[request.url.partition("#")[0]] += 1
        endless = request.resource_type in ("eventsource", "ping", "media")  # these may go on for ever
        if not endless and kind_of(request) not in self.answers.get(ENDLESS, ()):
            self.busy[request] = None
        if request.method not in ("GET", "HEAD", "OPTIONS") and request.url.startswith(self.own):
            sent = f"{request.method} {request.url} {body_of(request).decode(errors='replace')}"
            self.tell("sent", f"{request.method} {request.url.partition('?')[0]}", sent)

    def finished(self, request: Request) -> None:
        key = self.at_server.pop(request, None)
        try:
            kept = key and request.resource_type != "eventsource"  # whose body Playwright takes for Latin-1
            response = request.response() if kept else None
            if response:
                status = response.status
                body = b"" if status in (204, 205) or 300 <= status < 400 else response.body()
                self.answers[key] = status, response.all_headers(), body
        except Error:  # it went away together with its page; the server will be asked again
            pass
        self.busy.pop(request, None)
        self.given_up.discard(request)

    def failed(self, request: Request) -> None:
        for each in (self.at_server, self.held):
            each.pop(request, None)
        self.busy.pop(request, None)
        self.given_up.discard(request)

    def route(self, route: Route, request: Request) -> None:
        asked = request.method, request.url, body_of(request)
        self.asked[asked] += 1
        key, number = (*asked, self.asked[asked]), self.asked.total()
        # To a page that did not come from its server, Chromium denies sockets of a server on the same machine.
        answer = None if self.sockets and request.resource_type == "document" else self.answers.get(key)
        late = self.late_as(request)
        if late and not answer and request.resource_type != "eventsource":
            try:  # the server is to see requests in the order in which they are made
                got = route.fetch(max_redirects=0, timeout=1000 * LONGEST)
                answer = self.answers[key] = got.status, got.headers, got.body()
            except Error:
                pass
        if late and self.late:
            self.held[request] = number, late, route, answer
            return
        if not answer:
            self.at_server[request] = key
        self.wait_for_turn(request)
        self.give(request, route, answer)

    def socket(self, socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        path = urlsplit(socket.url).path
        self.begun[socket.url] += 1
        self.spoken = time.monotonic()

        def speaks(message: str | bytes) -> None:
            self.spoken = time.monotonic()
            server.send(message)

        def hears(message: str | bytes) -> None:
            self.spoken = 0.0
            self.counts[path] += 1
            late: Any = ("message", path, self.counts[path])
            behind = [each[0] for each in self.messages if each[1] is socket]  # those of one socket keep their order
            if behind or late in self.late:
                self.messages.append((late if late in self.late else behind[-1], socket, message))
            else:
                socket.send(message)

        socket.on_message(speaks)
        server.on_message(hears)

    def wait_for_turn(self, request: Request) -> None:
        """Outside the bad order answers come in the order in which they were asked for."""
        if request.resource_type not in ("xhr", "fetch") and not self.loaded and not self.overtakes(request):
            return
        end = time.monotonic() + TURN
        while request in self.busy and (earlier := self.before(request)):
            if time.monotonic() > end:
                self.slow.update(earlier)
            try:
                self.context.pages[0].wait_for_timeout(5)
            except (Error, IndexError):  # there is no page any more
                return

    def overtakes(self, request: Request) -> bool:
        """Whether it would come before something that it must not overtake but in the bad order."""
        earlier = self.before(request)
        return any(asks_for(each, method, address) for each in earlier for method, address, _ in self.ordered)

    def before(self, request: Request) -> list[Request]:
        """What is to be answered before this request."""
        earlier = list(takewhile(lambda each: each != request, self.busy))
        return [each for each in earlier if each not in self.held and each not in self.slow]

    def late_as(self, request: Request) -> tuple[str, str, int] | None:
        """Which of those that come late it is."""
        found = None
        for method, address in dict.fromkeys(each[:2] for each in (*self.late, *self.awaited)):
            if asks_for(request, method, address):
                self.counts[method, address] += 1
                late = (method, address, self.counts[method, address])
                found = found or (late if late in self.late else None)
        return found

    def give(self, request: Request, route: Route, answer: Any) -> None:
        try:
            if answer:
                status, headers, body = answer
                headers = {name: value for name, value in headers.items() if name.lower() not in OF_TRANSPORT}
                route.fulfill(status=status, headers=headers, body=body)
            else:
                route.continue_()
        except Error:  # the page no longer wants it
            self.failed(request)


def asks_for(request: Request, method: str, address: str) -> bool:
    """Whether a request is of this name; “…” in the address stands for anything."""
    pattern = ".*".join(map(re.escape, address.split("…")))
    return request.method == method and re.fullmatch(pattern, request.url) is not None


def kind_of(request: Request) -> tuple[str, str]:
    """By which a request is known again that waits for something to happen, as long polling does."""
    return request.method, request.url.partition("?")[0]


def documents(page: Page) -> list[Frame]:
    """Its frames, but for those that still wait for their document: they would not answer."""
    return [frame for frame in page.frames if frame.url]


def body_of(request: Request) -> bytes:
    return re.sub(rb"----WebKitFormBoundary\w{16}", b"boundary", request.post_data_buffer or b"")


def twice(run: Callable[[], End]) -> tuple[End, End]:
    """How two runs of the calm order end. The very first does not count if the next one, which need not wait for the
    server, ends otherwise."""
    first, second = run(), run()
    return (second, run()) if changes(first, second) else (first, second)


def differences(calm: End, again: End, bad: End, ignored: Sequence[str] = ()) -> list[str]:
    """In words what is otherwise in the bad order, apart from what differs between two calm runs as well."""
    noisy = {place for _, places in changes(calm, again) for place, _ in places}

    def told(end: End) -> End:
        return [each for each in end if each[0] not in noisy and not any(re.fullmatch(i, each[1]) for i in ignored)]

    found = [f"{where}: {what[:300]}" for where, parts in changes(told(calm), told(bad)) for _, what in parts]
    return found if len(found) <= MOST else [*found[:MOST], f"and {len(found) - MOST} more"]


def changes(calm: End, other: End) -> list[tuple[str, End]]:
    """What is in only one of the two, in the order of the page."""
    found = []
    matcher = SequenceMatcher(None, [what for _, what in calm], [what for _, what in other], autojunk=False)
    for kind, a, b, c, d in matcher.get_opcodes():
        if kind != "equal":
            found += [("Only in the calm order", calm[a:b]), ("Only in the bad order", other[c:d])]
    return found


ENDLESS = "requests that an earlier run ended without an answer to"
OF_TRANSPORT = ("content-encoding", "content-length", "transfer-encoding", "connection", "keep-alive")

AGENT = """(() => {  // knows what the page is waiting for
  const { setTimeout: later, requestAnimationFrame: frame, requestIdleCallback: idle } = window;
  const pending = new Set(), fired = new Map(), kept = new Map(), set = {};
  const wanted = (list, delay, number) => list.some(([ms, nth]) => ms === delay && nth === number);
  const hold = (delay) => {
    const number = (set[delay] = (set[delay] ?? 0) + 1);
    return wanted(window[Symbol.for("held timers")] ?? [], delay, number) ? number : 0;
  };
  const release = (timers) => {
    const left = (window[Symbol.for("held timers")] ?? []).filter(([ms, nth]) => !wanted(timers, ms, nth));
    window[Symbol.for("held timers")] = left;
    for (const [id, [delay, number, run]] of kept) if (wanted(timers, delay, number)) { kept.delete(id); run(); }
  };
  Object.defineProperty(window, Symbol.for("release timers"), { value: release });
  window.setTimeout = function setTimeout(callback, delay, ...given) {
    const held = hold(+delay);
    const id = held ? later(() => {}, 2 ** 31 - 1) : later(callback, delay, ...given);
    if (held) {
      kept.set(id, [+delay, held, () => later(callback, 0, ...given)]);
      return id;
    }
    const kind = `${delay} ${typeof callback === "function" ? Function.prototype.toString.call(callback) : ""}`;
    const times = fired.get(kind) ?? 0;
    if (!(delay >= SHORT) && times < 5) {  // one that sets itself again and again is not waited for
      pending.add(id);
      later(() => pending.delete(id) && fired.set(kind, times + 1), delay);
    }
    return id;
  };
  for (const name of ["clearTimeout", "clearInterval"]) {
    const clear = window[name];
    window[name] = { [name](id) { pending.delete(Number(id)); kept.delete(Number(id)); clear(id); } }[name];
  }
  for (const type of ["pointerdown", "keydown"]) addEventListener(type, () => fired.clear(), true);
  const sent = {};
  const note = (address, again = true) => {
    try {
      const url = new URL(address, document.baseURI);
      url.hash = "";
      if (/^(http|ws)/.test(url.protocol)) sent[url] = again ? (sent[url] ?? 0) + 1 : 1;
    } catch {}
  };
  const { fetch } = window, { open, send } = XMLHttpRequest.prototype, opened = new WeakMap();
  Object.assign(window, { fetch(what) { note(what?.url ?? what); return fetch.apply(window, arguments); } });
  Object.assign(XMLHttpRequest.prototype, {
    open(method, address) { opened.set(this, address); return open.apply(this, arguments); },
    send() { note(opened.get(this)); return send.apply(this, arguments); },
  });
  const construct = (target, args) => { note(args[0]); return Reflect.construct(target, args); };
  if (SOCKETS) window.WebSocket = new Proxy(WebSocket, { construct });
  const image = HTMLImageElement.prototype, source = Object.getOwnPropertyDescriptor(image, "src");
  const noting = { set(address) { note(address, false); source.set.call(this, address); } };
  Object.defineProperty(image, "src", { ...source, ...noting });
  const script = (node) => node.matches?.("script[src]") && note(node.src, false);
  new MutationObserver((records) => records.forEach((each) => each.addedNodes.forEach(script)))
    .observe(document, { childList: true, subtree: true });
  const next = () => new Promise((done) => { frame(done); later(done, 100); });
  const moving = (each) => each.playState === "running" && each.effect?.getComputedTiming().endTime < SHORT;
  Object.defineProperty(window, Symbol.for("sent when quiet"), { value: async () => {
    await next();
    await next();
    await new Promise((done) => idle(done, { timeout: 100 }));
    return pending.size === 0 && !document.getAnimations().some(moving) ? sent : null;
  } });
})()""".replace("SHORT", str(SHORT))

SEEN = """() => {  // what there is to read on the page, and the state of its fields, each with its place
  const found = [];
  let line = "", began = "";
  const words = (text) => text.replace(/\\s+/g, " ").trim();
  const end = () => {
    if (words(line)) found.push([began, words(line)]);
    line = "";
  };
  const name = (node) => words(node.labels?.[0]?.innerText || node.getAttribute("aria-label") || node.innerText
    || node.getAttribute("name") || node.id || node.tagName.toLowerCase()).slice(0, 60);
  const value = (node) => {
    if (node.matches("[type=checkbox], [type=radio]")) return node.checked ? "checked" : "not checked";
    if (node.matches("select")) return [...node.selectedOptions].map((option) => option.label).join(", ");
    return node.matches("[type=password]") ? "•".repeat(node.value.length) : node.value;
  };
  const states = (node, place) => {
    const say = (what) => found.push([`${place} state`, `field: ${name(node)}: ${what}`]);
    if (node.matches("textarea, select, input:not([type=button], [type=submit], [type=reset])")) say(value(node));
    if (node.matches(":disabled")) say("disabled");
    for (const state of ["pressed", "checked", "selected", "expanded"])
      if (node.hasAttribute(`aria-${state}`)) say(`${state}: ${node.getAttribute(`aria-${state}`)}`);
    for (const { name: key, value: set } of LOOKS ? node.attributes : [])
      if (key === "class" || key.startsWith("data-")) found.push([`${place} ${key}`, `${name(node)}: ${key}: ${set}`]);
    if (node.matches("img")) found.push([`${place} image`, `image: ${node.currentSrc.slice(0, 200)}`]);
  };
  const walk = (node, place, readable) => {
    if (node.nodeType === Node.TEXT_NODE && readable) {
      if (!words(line)) began = place;
      line += node.data;
    }
    if (node.nodeType !== Node.ELEMENT_NODE || node.matches("script, style, noscript, template, option")) return;
    const style = getComputedStyle(node);
    if (style.display !== "contents" && !node.checkVisibility()) return;
    const apart = !style.display.startsWith("inline") && style.display !== "contents" || node.matches("br");
    const visible = style.visibility === "visible";
    if (apart) end();
    if (visible) states(node, place);
    const given = node.matches("slot") ? node.assignedNodes() : [];
    const children = given.length ? given : (node.shadowRoot ?? node).childNodes;
    if (!node.matches("textarea, select")) children.forEach((each, at) => walk(each, `${place}/${at}`, visible));
    if (apart) end();
    else line += style.display === "inline-block" ? " " : "";
  };
  for (const kind of ["localStorage", "sessionStorage"])
    try {
      const kept = Object.entries(window[kind]).sort();
      for (const [key, value] of kept) found.push([`storage ${key}`, `${kind}: ${key} is ${value}`]);
    } catch {}  // there is none for such a page
  if (document.title) found.push(["title", `title: ${document.title}`]);
  walk(document.body ?? document.documentElement, "", true);
  end();
  return found;
}"""
