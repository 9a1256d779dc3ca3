"""The patterns of races while loading, on hand-made loads: the vectors of the published method, without a browser."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from jostle.events import Change, Effect, Event, Kind, Locator, PageError, Step, Trace, UserAction, event_of
from jostle.findings import FindingKind, Severity
from jostle.findings.evidence import DifferenceKind, LoadRacePart, OutcomeDifference
from jostle.oracles.outcome import Noise, Outcome
from jostle.races.loading import judge
from jostle.races.loading.judge import Harmless, Shown
from jostle.races.loading.loaded import FieldValue, PageLoad
from jostle.races.loading.observation import (
    DOCUMENT,
    Boundary,
    Element,
    FocusMove,
    Listening,
    Observation,
    Unlistening,
    Wired,
    Write,
    is_long,
)
from jostle.races.loading.order import LoadOrder
from jostle.races.loading.patterns import LoadRaceCandidate, Patterns, Probe
from jostle.races.loading.plan import known_as, plan
from jostle.recording.file import Manifest, Recording

HERE = "http://site"


class Load:
    """Tells a load step by step, as it would be seen."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.boundaries: list[Boundary] = []
        self.elements: dict[str, Element] = {}
        self.visible: dict[str, tuple[Event, ...]] = {}
        self.listening: list[Listening] = []
        self.unlistening: list[Unlistening] = []
        self.writes: list[Write] = []
        self.moves: list[FocusMove] = []
        self.wired: dict[str, tuple[Wired, ...]] = {}
        self.answer("/", resource="document", channel="parser")

    @property
    def now(self) -> str:
        return self.steps[-1].event.key

    def happens(self, event: Event) -> Event:
        if is_long(event):
            self.boundaries.append(Boundary(position=len(self.steps), offers=dict(self.visible)))
        self.steps.append(Step(event=event))
        return event

    def answer(self, path: str, creator: str | None = None, **detail: Any) -> Event:
        """Whatever stands in the markup is asked for as soon as the document is there."""
        made_by = creator if creator is not None else (self.steps[0].event.key if self.steps else "")
        detail = {"url": HERE + path, "document": "page", **detail}
        return self.happens(event_of(kind=Kind.NETWORK, what=f"GET {path}", creator=made_by, detail=detail))

    def script(self, path: str) -> Event:
        """A script that the parser waits for."""
        return self.answer(path, resource="script", blocking=True, channel="parser")

    def element(self, name: str, *actions: str, **more: Any) -> str:
        events = tuple(
            event_of(kind=Kind.USER, what=f"{action} {name}", detail={"action": action, "locator": {"words": name}})
            for action in actions
        )
        self.elements[name] = Element(
            id=name, label=name, born=self.now, standing=UserAction(locator=Locator(words=name, css=f"#{name}")), **more
        )
        if events:
            self.visible[name] = events
        return name

    def listens(self, target: str, kind: str = "click", **more: Any) -> None:
        self.listening.append(Listening(event=self.now, target=target, type=kind, **more))

    def writes_to(self, target: str, value: str = "") -> None:
        self.writes.append(Write(event=self.now, target=target, value=value, site="/app.js:1:1"))

    def focuses(self, target: str, *, auto: bool = False) -> None:
        self.moves.append(FocusMove(event=self.now, target=target, auto=auto))

    def seen(self) -> Observation:
        return Observation(
            trace=Trace(steps=tuple(self.steps), initial=(self.steps[0].event,)),
            boundaries=tuple(self.boundaries),
            elements=self.elements,
            listening=tuple(self.listening),
            unlistening=tuple(self.unlistening),
            writes=tuple(self.writes),
            focus_moves=tuple(self.moves),
            wired=self.wired,
        )

    def patterns(self) -> Patterns:
        return Patterns(self.seen())


@pytest.fixture
def load() -> Load:
    return Load()


def proved(found: Any) -> list[tuple[LoadRacePart, str, list[tuple[int, str]]]]:
    return [
        (each.part, each.target, [(probe.position, probe.event.what) for probe in each.probes])
        for each in found
        if each.proved
    ]


# Form input overwritten.


def test_1_a_field_is_written_when_the_script_behind_it_has_loaded(load: Load) -> None:
    load.element("q", "type")
    load.script("/search.js")
    load.writes_to("q")
    assert proved(load.patterns().overwritten()) == [(LoadRacePart.WRITE, "q", [(1, "type q")])]


def test_1_the_same_in_an_event_of_its_own(load: Load) -> None:
    load.element("q", "type")
    load.script("/search.js")
    load.happens(
        event_of(kind=Kind.LIFECYCLE, what="DOMContentLoaded", detail={"type": "DOMContentLoaded", "document": "page"})
    )
    load.writes_to("q")
    assert proved(load.patterns().overwritten()) == [(LoadRacePart.WRITE, "q", [(1, "type q")])]


def test_4_a_hidden_field_is_nobodys_loss(load: Load) -> None:
    load.element("q")
    load.writes_to("q")
    load.script("/later.js")
    load.writes_to("q")
    assert not list(load.patterns().overwritten())


def test_5_a_field_that_is_written_at_once_is_nobodys_loss(load: Load) -> None:
    load.element("q", "type")
    load.writes_to("q")
    assert not list(load.patterns().overwritten())
    load.script("/later.js")
    assert not list(load.patterns().overwritten())


def test_6_the_focus_moves_to_a_field_behind_a_script(load: Load) -> None:
    load.element("first", "type")
    load.script("/empty.js")
    load.element("second", "type")
    load.focuses("second", auto=True)
    assert proved(load.patterns().unfocused()) == [(LoadRacePart.FOCUS, "first", [(1, "type first")])]


def test_6_a_field_does_not_take_the_focus_from_itself(load: Load) -> None:
    load.element("first", "type")
    load.script("/empty.js")
    load.focuses("first")
    assert not list(load.patterns().unfocused())


def test_8_what_a_button_would_write_is_written_by_nobody(load: Load) -> None:
    load.element("q", "type")
    load.element("reset", "click")
    load.script("/reset.js")
    load.listens("reset")
    assert not list(load.patterns().overwritten())


@pytest.mark.parametrize(("behind", "expected"), [(True, []), (False, [(LoadRacePart.WRITE, "q", [(1, "type q")])])])
def test_13_an_asynchronous_script_may_run_before_a_field_that_stands_behind_it(
    load: Load, behind: bool, expected: list[Any]
) -> None:
    load.element("q", "type", behind=(f"{HERE}/a.js",) if behind else ())
    detail: dict[str, Any] = {"async": True}
    load.answer("/a.js", resource="script", **detail)
    load.writes_to("q")
    assert proved(load.patterns().overwritten()) == expected
    assert len(list(load.patterns().overwritten())) == 1  # told apart, not lost


@pytest.mark.parametrize(("delay", "expected"), [(499, 0), (500, 1)])
def test_16_only_a_long_timer_leaves_time_to_act(load: Load, delay: int, expected: int) -> None:
    load.element("q", "type")
    load.happens(
        event_of(
            kind=Kind.TIMER,
            what=f"timeout {delay} at /:9:1",
            creator=load.now,
            detail={"delay": delay, "due": delay, "document": "page", "registered": 1},
        )
    )
    load.writes_to("q")
    assert len(proved(load.patterns().overwritten())) == expected


def test_an_answer_asked_for_by_the_late_script_makes_two_moments_to_act(load: Load) -> None:
    load.element("q", "type")
    script = load.script("/app.js")
    load.answer("/api/me", creator=script.key, resource="fetch")
    load.writes_to("q")
    # Nearest first: then the farthest.
    assert proved(load.patterns().overwritten()) == [(LoadRacePart.WRITE, "q", [(2, "type q"), (1, "type q")])]


def test_an_answer_asked_for_before_the_field_was_there_proves_nothing(load: Load) -> None:
    first = load.now
    load.script("/app.js")
    load.element("q", "type")
    load.answer("/api/me", creator=first, resource="fetch")
    load.writes_to("q")
    assert not proved(load.patterns().overwritten())
    assert len(list(load.patterns().overwritten())) == 1


def test_a_radio_button_is_lost_to_another_of_its_group(load: Load) -> None:
    load.element("red", "check", group="colour")
    load.element("blue", "check", group="colour")
    load.element("other", "check", group="size")
    load.script("/app.js")
    load.writes_to("red", "true")
    assert proved(load.patterns().overwritten()) == [(LoadRacePart.WRITE, "blue", [(1, "check blue")])]


# Late handlers.


def test_2_a_link_gets_its_handler_from_a_script_behind_it(load: Load) -> None:
    load.element("search", "click")
    load.script("/menu.js")
    load.listens("search")
    assert proved(load.patterns().late()) == [(LoadRacePart.USER, "search", [(1, "click search")])]


def test_4_a_handler_that_is_registered_at_once_is_not_late(load: Load) -> None:
    load.element("button", "click")
    load.listens("button")
    load.script("/later.js")
    assert not list(load.patterns().late())


def test_9_a_frame_may_have_loaded_before_somebody_listens(load: Load) -> None:
    load.element("frame", kind="iframe", src=f"{HERE}/sub.html")
    load.answer("/sub.html", resource="document", document="frame")
    load.script("/frame.js")
    load.listens("frame", "load")
    assert proved(load.patterns().unheard()) == [(LoadRacePart.SYSTEM, "frame", [(2, "GET /sub.html")])]
    assert not list(load.patterns().late())


def test_14_the_delay_of_an_external_script_is_that_of_the_inline_script_behind_it(load: Load) -> None:
    load.element("link", "click")
    load.script("/lib.js")
    load.script("/more.js")
    load.listens("link")  # by an inline script behind both
    assert proved(load.patterns().late()) == [(LoadRacePart.USER, "link", [(2, "click link"), (1, "click link")])]


def test_a_handler_in_the_markup_is_never_late(load: Load) -> None:
    load.element("early", "click")
    load.script("/lib.js")
    load.element("link", "click")
    load.listens("link", markup=True)
    assert not list(load.patterns().late())


def test_an_element_that_came_with_its_handler_was_never_without(load: Load) -> None:
    load.script("/lib.js")
    load.element("link", "click")
    load.listens("link")
    assert not list(load.patterns().late())


def test_who_listens_at_the_document_listens_for_everything_in_it(load: Load) -> None:
    load.element("buy", "click")
    load.element("note", "type")
    load.script("/framework.js")
    load.listens(DOCUMENT)
    assert proved(load.patterns().late()) == [(LoadRacePart.USER, "buy", [(1, "click buy")])]


def test_an_element_that_nothing_showed_to_be_for_use_is_tried_all_the_same(load: Load) -> None:
    load.element("card")
    load.script("/cards.js")
    load.listens("card")
    assert proved(load.patterns().late()) == [(LoadRacePart.USER, "card", [(1, "click card")])]


def test_a_form_is_sent_by_its_button(load: Load) -> None:
    load.element("form", path="/html/form")
    load.element("mail", "type", kind="input:email", form="/html/form")
    load.element("help", "click", kind="button", form="/html/form")
    load.element("send", "click", kind="button", form="/html/form", sends=True)
    load.element("else", "click", kind="button", form="/html/form[2]", sends=True)
    load.script("/newsletter.js")
    load.listens("form", "submit")
    assert proved(load.patterns().late()) == [(LoadRacePart.USER, "send", [(1, "click send")])]
    (found,) = load.patterns().late()
    assert [event.what for event in found.probes[0].first] == ["type mail"]  # filled in before it is sent


def test_enter_in_a_field_is_pressed_when_the_form_is_filled_in(load: Load) -> None:
    enter = event_of(kind=Kind.USER, what="enter", detail={"action": "press", "value": "Enter"})
    load.element("name", "type", form="/html/form")
    load.element("mail", form="/html/form")
    load.visible["mail"] = (enter,)
    load.script("/keys.js")
    load.listens("mail", "keydown")
    (found,) = load.patterns().late()
    assert found.probes[0].sends and [event.what for event in found.probes[0].first] == ["type name"]


# Who listens at a root.


def at_root(load: Load, *targets: str) -> None:
    """A framework comes late and listens at its root for these."""
    load.element("root")
    load.script("/framework.js")
    for kind in ("mousedown", "click", "submit", "change"):
        load.listens("root", kind, within=targets)


def handled(load: Load, **wired: str) -> list[tuple[str, ...]]:
    """What is to be tried: the elements of each task."""
    load.wired = {name: (Wired(*code.split(" ", 1)),) for name, code in wired.items()}
    tasks = [task for task in plan(load.seen()) if task.kind is FindingKind.LATE_HANDLER and task.first.delegated]
    return [tuple(dict.fromkeys(each.target for each in task.candidates)) for task in tasks]


def test_what_a_user_does_is_tried_once_however_many_listeners_a_root_has(load: Load) -> None:
    load.element("buy", "click")
    at_root(load, "buy")
    assert [len(task.candidates) for task in plan(load.seen()) if task.first.delegated] == [1]


def test_buttons_of_a_root_are_one_thing_to_try_and_fields_are_not(load: Load) -> None:
    for name in ("buy", "sell"):
        load.element(name, "click", kind="button", path=f"/html/{name}")
    for name in ("size", "colour"):
        load.element(name, "select", kind="select", path=f"/html/{name}")
    at_root(load, "buy", "sell", "size", "colour")
    assert sorted(handled(load)) == [("buy", "sell"), ("colour",), ("size",)]


def test_what_has_a_handler_of_its_own_behind_the_root_is_tried_first(load: Load) -> None:
    for name in ("idle", "buy", "sell"):
        load.element(name, "click", kind="button")
    for name in ("one", "two", "three"):
        load.element(name, "select", kind="select", path=f"/html/{name}")
    at_root(load, "idle", "buy", "sell", "one", "two", "three")
    code = {"buy": "click buy()", "sell": "click sell()", "one": "change set(1)", "two": "change set(2)"}
    assert handled(load, **code) == [("one", "two"), ("buy", "sell"), ("idle",), ("three",)]


# Access before definition.


def test_3_a_handler_in_the_markup_is_tried_before_the_script_behind_it(load: Load) -> None:
    load.element("item", "click")
    load.listens("item", markup=True, source="s.tl(this)")
    load.script("/analytics.js")
    assert proved(load.patterns().early()) == [(LoadRacePart.USER, "item", [(1, "click item")])]


def test_a_handler_that_was_removed_is_not_tried(load: Load) -> None:
    load.element("item", "click")
    load.listens("item", listener=7)
    load.script("/a.js")
    load.unlistening.append(Unlistening(event=load.now, target="item", type="click", listener=7))
    load.script("/b.js")
    assert proved(load.patterns().early()) == [(LoadRacePart.USER, "item", [(1, "click item")])]


def test_five_items_of_a_menu_are_one_thing_to_try(load: Load) -> None:
    for number in range(5):
        load.element(f"item{number}", "click")
        load.listens(f"item{number}", markup=True, source="s.tl(this)")
    load.script("/analytics.js")
    tasks = plan(load.seen())
    assert [(task.kind, len(task.candidates)) for task in tasks] == [(FindingKind.ACCESS_BEFORE_DEFINITION, 5)]


def test_what_is_likely_is_tried_first(load: Load) -> None:
    load.element("q", "type")
    load.element("link", "click")
    load.element("item", "click")
    load.listens("item", markup=True, source="fn()")
    load.script("/app.js")
    load.writes_to("q")
    load.listens("item", source="() => {}")
    load.listens("link", source="(event) => event.preventDefault()")
    tasks = plan(load.seen())
    assert [(task.kind.value, task.first.target) for task in tasks] == [
        ("form-input-overwritten", "q"),
        ("late-handler", "link"),
        ("access-before-definition", "item"),
        ("late-handler", "item"),
    ]


# The order of our own loads.


def answered(path: str, resource: str) -> Event:
    return event_of(kind=Kind.NETWORK, what=f"GET {path}", detail={"resource": resource, "url": path})


def test_what_may_take_long_comes_as_late_as_it_can() -> None:
    waiting = [
        answered("async.js", "script"),
        answered("defer.js", "script"),
        answered("/api", "fetch"),
        answered("blocking.js", "script"),
        answered("style.css", "stylesheet"),
        event_of(kind=Kind.TIMER, what="timeout 900", detail={"delay": 900, "due": 900}),
        event_of(kind=Kind.TIMER, what="timeout 10", detail={"delay": 10, "due": 10}),
        event_of(kind=Kind.TIMER, what="timeout 9000", detail={"delay": 9000, "due": 9000}),
    ]
    order = LoadOrder({"async.js": "async", "defer.js": "defer", "blocking.js": "blocking"})
    done = []
    while event := order.next(waiting, until=5000):
        done.append(event.what)
        waiting.remove(event)
        order.happened(event)
    assert done == [
        "GET style.css",
        "timeout 10",
        "GET blocking.js",
        "GET defer.js",
        "GET async.js",
        "GET /api",
        "timeout 900",
    ]


def test_what_sets_itself_again_neither_holds_the_others_up_nor_goes_on_for_ever() -> None:
    order = LoadOrder({})
    frame = event_of(kind=Kind.FRAME, what="animation frame", detail={"due": 1.0})
    script = answered("app.js", "script")
    waiting, done = [frame, script], []
    while event := order.next(waiting, until=5000):
        done.append(event.kind)
        order.happened(event)
        waiting.remove(event)
        if event.kind is Kind.FRAME:
            waiting.append(
                event_of(kind=Kind.FRAME, what=event.what, creator=event.key, detail={"due": len(done) + 1.0})
            )
    assert done.index(Kind.NETWORK) == 4
    assert len(done) == 8


# The verdicts.

CLICK = event_of(kind=Kind.USER, what="click link", detail={"action": "click"})
LATER = event_of(kind=Kind.NETWORK, what="GET /app.js", detail={"resource": "script"})


def loaded(
    *errors: str,
    entered: FieldValue | None = None,
    left: FieldValue | None = None,
    prevented: bool = False,
    text: str = "",
    left_for: str = "",
    sent: tuple[str, ...] = (),
    loading: tuple[str, ...] = (),
    changes: tuple[Change, ...] = (),
) -> PageLoad:
    thrown = tuple(PageError(kind="exception", message=message) for message in errors)
    steps = (
        Step(event=CLICK, effect=Effect(errors=thrown, default_prevented=prevented, changes=changes)),
        Step(event=LATER, effect=Effect(errors=tuple(PageError(kind="exception", message=each) for each in loading))),
    )
    end = Outcome(snapshot="", text=text, errors=(*errors, *loading), sent=sent)
    return PageLoad(
        steps=steps,
        acted=0,
        outcome=end,
        by_user=end,
        entered=entered,
        left=left,
        left_for=left_for,
        recording=Recording(manifest=Manifest(url=HERE)),
    )


def late_candidate(target: str = "link", listens_at: str = "link") -> LoadRaceCandidate:
    return LoadRaceCandidate(
        part=LoadRacePart.USER,
        target=target,
        probes=(Probe(1, CLICK),),
        deed=Listening(event=LATER.key, target=listens_at, type="click"),
    )


TYPED, EMPTY = FieldValue("zq7", True), FieldValue("", True)


def test_1_what_was_typed_is_lost() -> None:
    bad, good = loaded(entered=TYPED, left=EMPTY), loaded(entered=TYPED, left=TYPED)
    assert judge.overwritten(bad, None, "input#q") is None
    verdict = judge.overwritten(bad, good, "input#q")
    assert isinstance(verdict, Shown)
    assert verdict.differences == (OutcomeDifference(DifferenceKind.FORM, "input#q", "zq7", ""),)


def test_7_a_write_that_is_guarded_loses_nothing() -> None:
    assert isinstance(judge.overwritten(loaded(entered=TYPED, left=TYPED), None, "input#q"), Harmless)


def test_a_field_that_keeps_nothing_after_loading_either_is_no_race() -> None:
    both = loaded(entered=TYPED, left=EMPTY)
    assert isinstance(judge.overwritten(both, both, "input#q"), Harmless)


def test_6_the_browser_leaves_the_focus_where_the_user_has_put_it() -> None:
    assert isinstance(judge.unfocused(loaded(entered=TYPED, left=TYPED), None, "input"), Harmless)
    moved = loaded(entered=TYPED, left=FieldValue("zq7", False))
    assert isinstance(judge.unfocused(moved, loaded(entered=TYPED, left=TYPED), "input"), Shown)
    assert isinstance(judge.unfocused(moved, moved, "input"), Harmless)


def test_2_an_early_click_leaves_the_page() -> None:
    good, bad = loaded(prevented=True, text="menu"), loaded(text="search", left_for=f"{HERE}/search")
    assert judge.late(late_candidate(), Probe(1, CLICK), None, good, Noise()) is None
    verdict = judge.late(late_candidate(), Probe(1, CLICK), bad, good, Noise())
    assert isinstance(verdict, Shown) and verdict.kind is FindingKind.LATE_HANDLER


def test_15_a_handler_that_does_what_the_link_does_is_not_missed() -> None:
    good = loaded(prevented=True, text="search", left_for=f"{HERE}/search", sent=("POST /seen",))
    bad = loaded(text="search", left_for=f"{HERE}/search")
    assert isinstance(judge.late(late_candidate(), Probe(1, CLICK), bad, good, Noise()), Harmless)


def test_a_click_that_can_be_repeated_is_not_reported() -> None:
    assert isinstance(judge.late(late_candidate(), Probe(1, CLICK), None, loaded(text="one more"), Noise()), Harmless)


def test_a_click_that_does_nothing_without_its_handler_can_be_repeated_too() -> None:
    good = loaded(prevented=True, text="one more")
    assert isinstance(judge.late(late_candidate(), Probe(1, CLICK), loaded(), good, Noise()), Harmless)


def test_a_click_that_a_framework_misses_is() -> None:
    candidate = late_candidate(listens_at=DOCUMENT)
    good = loaded(text="1 like", changes=(Change("text", "button#like"),))
    verdict = judge.late(candidate, Probe(1, CLICK), loaded(text="0 likes"), good, Noise())
    assert isinstance(verdict, Shown) and verdict.severity is Severity.LOW


def test_what_nobody_heeds_is_not_missed() -> None:
    candidate = late_candidate(listens_at=DOCUMENT)
    verdict = judge.late(candidate, Probe(1, CLICK), None, loaded(), Noise())
    assert verdict == Harmless("nobody does anything with it but the browser")


def test_what_is_sent_by_nobody_can_be_sent_later() -> None:
    sending = Probe(1, CLICK, sends=True)
    good = loaded(prevented=True, text="fill in the code")
    verdict = judge.late(late_candidate(listens_at=DOCUMENT), sending, loaded(), good, Noise())
    assert verdict == Harmless("the form is not sent then, and can be sent later")


def test_statistics_are_not_missed_by_users() -> None:
    good = loaded(prevented=True, sent=("POST http://site/collect/click",))
    verdict = judge.late(late_candidate(listens_at=DOCUMENT), Probe(1, CLICK), loaded(), good, Noise())
    assert verdict == Harmless("only statistics miss it")


def test_10_a_handler_fails_for_want_of_a_variable() -> None:
    bad = loaded("ReferenceError: omni is not defined")
    assert judge.undefined(bad, None, Noise()) is None
    verdict = judge.undefined(bad, loaded(), Noise())
    assert isinstance(verdict, Shown) and verdict.kind is FindingKind.ACCESS_BEFORE_DEFINITION


def test_11_what_fails_always_is_no_race() -> None:
    early, late = loaded("ReferenceError: send is not defined"), loaded("ReferenceError: stamp is not defined")
    assert isinstance(judge.undefined(early, early, Noise()), Harmless)
    assert isinstance(judge.undefined(early, late, Noise()), Harmless)


def thrown_at(message: str, source: str) -> PageLoad:
    error = PageError(kind="exception", message=message, source=source)
    return msgspec.structs.replace(loaded(), steps=(Step(event=CLICK, effect=Effect(errors=(error,))),))


def test_an_error_of_the_natural_order_does_not_hide_one_of_the_other() -> None:
    early = thrown_at("ReferenceError: send is not defined", "/a.js:1:1")
    late = thrown_at("TypeError: log is not a function", "/b.js:7:1")
    verdict = judge.undefined(early, late, Noise())
    assert isinstance(verdict, Shown) and verdict.error is not None and verdict.error.source == "/a.js:1:1"
    in_that_line = thrown_at("TypeError: log is not a function", "/a.js:1:20")
    assert isinstance(judge.undefined(early, in_that_line, Noise()), Harmless)  # it never gets beyond it


def test_errors_are_the_same_by_their_kind() -> None:
    early = thrown_at("TypeError: item 17 is null", "/a.js:1:1")
    late = thrown_at("TypeError: item 18 is null", "/b.js:7:1")
    assert isinstance(judge.undefined(early, late, Noise()), Harmless)


def test_12_what_does_not_fail_alone_is_no_race() -> None:
    assert isinstance(judge.undefined(loaded(), None, Noise()), Harmless)


def test_a_click_that_makes_a_later_script_fail_is_told_as_such() -> None:
    message = "TypeError: Cannot read properties of null"
    verdict = judge.undefined(loaded(loading=(message,)), loaded(), Noise())
    assert isinstance(verdict, Shown) and verdict.kind is FindingKind.ATOMICITY_VIOLATION
    assert isinstance(
        judge.undefined(loaded(loading=(message,)), loaded(), Noise(), [PageError(kind="exception", message=message)]),
        Harmless,
    )


def test_the_same_code_on_two_pages_is_known() -> None:
    """Whatever the number in the name of the element; not for other code, or an element of another name."""

    def known(name: str, site: str) -> set[tuple[str, ...]]:
        load = Load()
        load.element(name, "click")
        load.script("/app.js")
        load.listens(name, site=site, source="save()")
        return {known_as(task, load.seen()) for task in plan(load.seen())}

    assert known("Like 29", "/app.js:3:1") == known("Like 30", "/app.js:3:1") != set()
    assert known("Like 29", "/app.js:3:1").isdisjoint(known("Like 29", "/app.js:9:1"))
    assert known("Like 29", "/app.js:3:1").isdisjoint(known("Love 29", "/app.js:3:1"))
