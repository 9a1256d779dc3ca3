"""Which pairs are worth trying: the cases of the specification, by hand."""

from __future__ import annotations

import msgspec

from jostle.events import (
    Box,
    Change,
    Effect,
    Event,
    FormWrite,
    Kind,
    Milestone,
    Request,
    State,
    Step,
    StorageWrite,
    event_of,
)
from jostle.model.reaction import Reaction, derived, footprint, shortest_paths
from jostle.races.responses.conflict import ResponsePair, candidates, entered_for
from jostle.races.responses.verdict import leaves_out

HOME, OTHER = State("home", "http://app.test/"), State("other", "http://app.test/other")
LIST, ASIDE = Box(0, 100, 400, 300), Box(500, 0, 100, 50)


def user(what: str, **detail: object) -> Event:
    xpath = f"/html/body/{what.replace(' ', '')}"
    return event_of(kind=Kind.USER, what=what, detail={"action": what.split(" ")[0], "xpath": xpath, **detail})


def answer(what: str, creator: Event, resource: str = "fetch", kind: Kind = Kind.NETWORK) -> Event:
    method, _, path = what.partition(" ")
    detail = {"resource": resource, "method": method, "url": f"http://app.test{path}"} if kind is Kind.NETWORK else {}
    return event_of(kind=kind, what=what, creator=creator.key, detail=detail)


def writes(element: str, box: Box | None = None) -> Effect:
    return Effect(changes=(Change(what="children", target=element, box=box),))


def reaction(*steps: tuple[Event, Effect], before: State = HOME, path: tuple[Event, ...] = ()) -> Reaction:
    done = tuple(Step(event=event, effect=effect) for event, effect in steps)
    return Reaction(before=before, after=before, path=path, event=steps[0][0], steps=done)


def asks(what: str, effect: Effect, resource: str = "fetch") -> Reaction:
    event = user(what)
    return reaction((event, Effect()), (answer(f"GET /{what[-1]}", event, resource), effect))


def names(found: list[ResponsePair]) -> set[str]:
    return {str(each) for each in found}


def test_an_answer_and_what_is_written_at_once() -> None:
    fill, clear = asks("click A", writes("div#out", LIST)), reaction((user("click B"), writes("div#out", LIST)))
    assert names(candidates([clear, fill])) == {"click A → click A", "click A → click B"}, "not the other way round"


def test_one_event_races_with_itself() -> None:
    assert names(candidates([asks("click C", writes("p#quote", LIST))])) == {"click C → click C"}


def test_disjoint_areas_are_not_tried() -> None:
    found = candidates([asks("click A", writes("ul#left", LIST)), asks("click B", writes("ul#right", ASIDE))])
    assert names(found) == {"click A → click A", "click B → click B"}


def test_areas_that_overlap() -> None:
    inner = Box(10, 150, 50, 20)
    found = candidates([asks("click A", writes("p#inner", inner)), asks("click B", writes("ul#outer", LIST))])
    assert "click A → click B" in names(found)
    [pair] = [each for each in found if str(each) == "click A → click B"]
    assert [each.what for each in pair.shared] == ["area"]


def test_an_element_that_was_emptied_counts_where_it_was_seen() -> None:
    details = user("click Details")
    opened = reaction(
        (details, writes("div#place", LIST)),
        (answer("GET /details", details), writes("p#text", Box(10, 150, 50, 20))),
    )
    closed = reaction((user("click Close"), writes("div#place")))
    assert "click Details → click Close" in names(candidates([opened, closed]))


def test_what_was_written_at_other_times_counts() -> None:
    fill, clear = asks("click A", writes("div#out", LIST)), user("click B")
    in_vain, later = reaction((clear, Effect())), reaction((clear, writes("div#out", LIST)), path=(fill.event,))
    assert "click A → click B" in names(candidates([in_vain, fill, later]))


def test_inserted_scripts_and_messages_are_answers_and_pages_are_not() -> None:
    script = asks("click A", writes("ul#hits", LIST), "script")
    assert names(candidates([script])) == {"click A → click A"}
    page = asks("click P", writes("ul#hits", LIST), "document")
    assert page.leaves and not page.answers
    assert candidates([page]) == []
    live = user("click Live")
    pushed = event_of(kind=Kind.MESSAGE, what="message on socket /ws", detail={"outside": True})
    assert names(candidates([reaction((live, Effect()), (pushed, writes("ul#hits", LIST)))])) == {
        "click Live → click Live"
    }


def test_a_frame_that_loads_is_no_other_page() -> None:
    event = user("click Preview")
    documents = [answer("GET /preview", event, "document"), answer("GET /other", event, "document")]
    documents[0] = documents[0].with_detail(in_frame=True)
    fetched = (answer("GET /x", event), writes("ul#hits", LIST))
    framed = Effect(lifecycle=(Milestone(Milestone.FRAME_COMMIT, "http://app.test/preview"),))
    assert not reaction((event, Effect()), (documents[0], framed), fetched).leaves
    assert reaction((event, Effect()), (documents[1], Effect()), fetched).leaves


def test_a_way_without_what_was_typed_says_little() -> None:
    typed, clicked, filled = user("type milk"), user("click Search"), user("fill date")
    assert leaves_out((), (typed,)) and leaves_out((typed,), (typed, clicked, filled))
    assert not leaves_out((typed,), (typed, clicked)) and not leaves_out((), (clicked,))


def test_a_timer_before_the_request() -> None:
    typed = user("type x")
    timer = answer("timeout 300", typed, kind=Kind.TIMER)
    found = reaction((typed, Effect()), (timer, Effect()), (answer("GET /x", timer), writes("ul#hits", LIST)))
    assert [event.what for event in found.answers] == ["GET /x"]
    assert names(candidates([found])) == {"type x → type x"}


def test_what_polling_asks_for_is_not_the_users() -> None:
    clicked, poll = user("click A"), event_of(kind=Kind.TIMER, what="interval 1000")
    steps = [(clicked, writes("p#out", LIST)), (poll, Effect()), (answer("GET /news", poll), writes("p#out", LIST))]
    assert reaction(*steps).answers == ()
    assert candidates([reaction(*steps)]) == []


def test_storage_fields_and_what_is_sent() -> None:
    stored = Effect(storage_writes=(StorageWrite("localStorage", "draft", "x"),))
    sent = Effect(requests=(Request("POST", "http://app.test/orders?x=1"),))
    save, order = asks("click S", stored), user("click O")
    twice = reaction((order, sent), (answer("POST /orders", order), Effect()))
    assert {str(pair): [each.what for each in pair.shared] for pair in candidates([save, twice])} == {
        "click S → click S": ["storage"],
        "click O → click O": ["server"],
    }
    late = asks("click L", Effect(form_writes=(FormWrite("input#name", "old"),)))
    typing = reaction((user("type N", locator={"css": "#name", "words": "N"}), Effect()))
    assert "click L → type in N" in names(candidates([late, typing]))


def test_several_answers_to_one_event_may_change_places() -> None:
    typed = user("type x")
    answers = [(answer(f"GET /{n}", typed), writes("ul#hits", LIST)) for n in (1, 2)]
    assert "type x: its own answers" in names(candidates([reaction((typed, Effect()), *answers)]))


def test_of_events_that_are_much_the_same_few_are_tried() -> None:
    likes = []
    for n in range(1, 21):
        event = event_of(
            kind=Kind.USER, what=f"click like {n}", detail={"action": "click", "xpath": f"/html/body/ul/li[{n}]/button"}
        )
        likes.append(reaction((event, Effect()), (answer(f"POST /like/{n}", event), writes("p#total", LIST))))
    assert len(candidates(likes)) == 2, "one on the same element, one on two of them"


def pressed(name: str, place: str, request: str) -> Reaction:
    """A click that sends something."""
    method, _, path = request.partition(" ")
    event = event_of(kind=Kind.USER, what=f"click {name}", detail={"action": "click", "xpath": f"/html/{place}"})
    sending = Effect(requests=(Request(method=method, url=f"http://app.test{path}"),))
    return reaction((event, sending), (answer(request, event), writes("ul#labels", LIST)))


def test_what_is_done_to_two_entries_of_a_list_is_also_tried_on_one() -> None:
    save, delete = pressed("Save", "ul/li[2]/p/button", "PUT /2"), pressed("Delete", "ul/li[3]/button[2]", "DELETE /3")
    found = names(candidates([save, delete]))
    assert {"click Save → click Delete", "click Save → click Delete (same entry)"} <= found
    its = pressed("Delete", "ul/li[2]/button[2]", "DELETE /2")
    assert "click Save → click Delete (same entry)" in names(candidates([save, its])), "it may have a new name by then"
    again = pressed("Save the other", "ul/li[3]/p/button", "PUT /3")
    assert "click Save → click Save the other (same entry)" not in names(candidates([save, again])), "that is the same"
    reading = pressed("Open", "ul/li[3]/button[2]", "GET /3")
    assert not [each for each in names(candidates([save, reading])) if "same entry" in each], "no harm"
    aside = pressed("Aside", "section[1]/button", "PUT /a"), pressed("Beside", "section[2]/p/button", "PUT /b")
    assert not [each for each in names(candidates(aside)) if "same entry" in each], "no list"
    more = pressed("More", "section[3]/p/button", "PUT /c")
    assert "click Aside → click Beside (same entry)" in names(candidates([*aside, more])), "there are several of them"


def test_buttons_side_by_side_that_send_other_things_are_told_apart() -> None:
    star, trash = pressed("Star", "li[1]/button[1]", "PUT /star/1"), pressed("Trash", "li[2]/button[2]", "DELETE /2")
    mark = pressed("Mark", "li[2]/button[3]", "PUT /mark/2")
    found = names(candidates([star, trash, mark]))
    assert {"click Star → click Trash", "click Star → click Mark", "click Trash → click Star"} <= found


def test_pages_do_not_mix() -> None:
    here, event = asks("click A", writes("ul#hits", LIST)), user("click B")
    there = reaction((event, Effect()), (answer("GET /b", event), writes("ul#hits", LIST)), before=OTHER)
    assert names(candidates([here, there])) == {"click A → click A", "click B → click B"}


def test_the_surest_come_first() -> None:
    one = asks("click A", writes("ul#hits", LIST))
    order = user("click O")
    two = reaction(
        (order, Effect(requests=(Request("POST", "http://app.test/o"),))), (answer("POST /o", order), Effect())
    )
    assert [str(each) for each in candidates([one, two])] == ["click O → click O", "click A → click A"]


def test_shorter_ways() -> None:
    a, b = user("click A"), user("click B")
    there = State("there", "http://app.test/")
    steps = (Step(event=a),)
    walked = [
        Reaction(before=HOME, after=HOME, event=b, steps=(Step(event=b),)),
        Reaction(before=HOME, after=there, event=a, steps=steps, path=(b,)),
        Reaction(before=there, after=there, event=a, steps=steps, path=(b, a)),
    ]
    assert shortest_paths(walked) == {HOME: (), there: (a,)}


def test_derivation_follows_every_link() -> None:
    root = user("click A")
    first = answer("GET /1", root)
    second = answer("GET /2", first)
    foreign = event_of(kind=Kind.TIMER, what="interval")
    steps = [Step(event=event) for event in (root, first, second, foreign)]
    assert derived(root.key, steps) == {root.key, first.key, second.key}


def test_boxes_within_others_say_nothing_more() -> None:
    effect = Effect(changes=tuple(Change("text", "p", box) for box in (LIST, Box(10, 110, 5, 5), Box(0, 0, 0, 0))))
    assert footprint([Step(event=user("click A"), effect=effect)]).boxes == (LIST,)


def test_the_best_pair_of_each_event_comes_first() -> None:
    """However good the others of the first one are."""
    list_ = writes("#list", LIST)
    known = [asks("click A", list_), asks("click B", list_), asks("click C", list_)]
    order = [str(each).partition(" →")[0] for each in candidates(known)]
    assert len(order) == 9
    assert [sorted(order[n : n + 3]) for n in (0, 3, 6)] == [["click A", "click B", "click C"]] * 3


def test_kin_stand_for_each_other() -> None:
    list_ = writes("#list", LIST)
    [same] = [each for each in candidates([asks("click A", list_)]) if each.second is not None]
    assert same.kin[0] == "same" and same.kin[1].startswith("http://app.test/")


def test_ways_the_surest_first() -> None:
    direct, path = (user("visit X"),), (user("click 1"), user("click 2"))
    one = reaction((user("click A"), Effect()), path=path)
    known = Reaction(before=HOME, after=HOME, path=path, direct=direct, event=one.event, steps=one.steps)
    assert ResponsePair(first=known, short=path).ways == [direct, path]
    assert ResponsePair(first=one).ways == [path]


def test_who_disables_the_button_at_once_comes_last() -> None:
    list_ = writes("#list", LIST)
    careful = user("click A")
    locked = Effect(changes=(Change(what="attribute disabled", target="#a"),))
    known = [reaction((careful, locked), (answer("GET /a", careful), list_)), asks("click B", list_)]
    assert [str(each).partition(" →")[0] for each in candidates(known)][:2] == ["click B", "click A"]


def test_a_field_that_opens_and_is_pushed_into() -> None:
    """What the server pushes is what is there already: as long as nobody types, nothing is written."""
    edit, typing = user("click Edit"), user("type in D")
    opened = State("editor", "http://app.test/")
    pushed = event_of(kind=Kind.MESSAGE, what="state", creator=edit.key, detail={"outside": True})
    editing = Reaction(
        before=HOME, after=opened, event=edit, steps=tuple(Step(event=e, effect=Effect()) for e in (edit, pushed))
    )
    typed = reaction((typing, Effect()), before=opened, path=(edit,))
    offered = {HOME: ["click Edit"], opened: ["type in D"]}
    assert "click Edit → type in D" in names(candidates([editing, typed], offered.__getitem__))
    everywhere = {HOME: ["click Edit", "type in D"], opened: ["type in D"]}
    assert names(candidates([editing, typed], everywhere.__getitem__)) == set()


def test_what_is_impossible_then_comes_last() -> None:
    go, again = asks("click G", writes("main", LIST)), asks("click H", writes("main", LIST))
    away = State("away", "http://app.test/")
    leaving = msgspec.structs.replace(go, after=away)
    found = candidates([leaving, again], {HOME: ["click G", "click H"], away: ["click H"]}.__getitem__)
    assert [(str(each), each.impossible) for each in found][-1] == ("click G → click G", True)


def test_what_was_entered_for_a_button_comes_along() -> None:
    form = {"form": "/html/body/form"}
    field, aside, send = user("type in F", **form), user("type in G", form="/html/body/other"), user("click S", **form)
    button = event_of(kind=Kind.USER, what="click S", detail={**msgspec.to_builtins(send.detail), "element": "button"})
    sent = reaction((button, Effect()), (answer("GET /s", button), writes("main", LIST)), path=(field, aside))
    assert entered_for(sent) == (field,)
    other = reaction((user("click B"), Effect()))
    assert ResponsePair(first=other, second=sent).lead == (field,)
    typed = reaction((field, Effect()))
    assert ResponsePair(first=typed, second=sent).lead == (), "it was entered first"
    pair = ResponsePair(first=sent, short=())
    assert pair.ways == [(field,), (field, aside)], "also where a shorter way does not enter it"


def sent_by(what: str, xpath: str, request: str) -> Reaction:
    event = user(what, xpath=xpath, **({"value": "Enter"} if what.startswith("press") else {"element": "button"}))
    method, _, path = request.partition(" ")
    sending = Effect(requests=(Request(method, f"http://app.test{path}"),))
    return reaction((event, sending), (answer(request, event), writes("p#said", LIST)))


def test_a_form_is_sent_again_by_another_of_its_fields() -> None:
    one = sent_by("press Enter in Name", "/html/body/form/input[1]", "PUT /profile")
    other = sent_by("press Enter in Town", "/html/body/form/input[2]", "PUT /profile")
    button = sent_by("click Publish", "/html/body/form/button", "POST /publish")
    elsewhere = sent_by("press Enter in Search", "/html/body/header/form/input", "PUT /profile")
    pairs = {str(each): each.resubmits for each in candidates([one, other, button, elsewhere])}
    assert pairs["press Enter in Name → press Enter in Town"]
    assert pairs["press Enter in Name → press Enter in Name"]
    assert not pairs["press Enter in Name → click Publish"], "it sends something else"
    assert not pairs["press Enter in Name → press Enter in Search"], "it is another form"


def polled(what: str, *, family_: str = "", interval: float = 1000, rpc: str = "news") -> Reaction:
    """An event that does something of its own, while the application begins to ask for news anew, as it always does."""
    event = user(what)
    timer = event_of(
        kind=Kind.TIMER, what=f"timeout {interval:g} at poll", creator=event.key, detail={"delay": interval}
    )
    asked = Request("POST", "http://app.test/rpc", body=f'{{"method": "{rpc}"}}')
    own = Request("POST", "http://app.test/rpc", body=f'{{"method": "{what[-1]}"}}')
    everything = Effect(changes=(Change(what="children", target="ul#news", box=LIST),))
    return reaction((event, Effect(created=(timer,), requests=(asked, own))), (timer, everything))


def test_what_comes_with_everything_is_nobodys_in_particular() -> None:
    """The timer of an application that asks for news makes no pairs of all that the user can do, nor does the
    asking."""
    assert candidates([polled(f"click {name}") for name in "ABCDEFG"]) == []
    few = names(candidates([polled(f"click {name}") for name in "ABC"]))  # of three events each may have set its own
    assert "click A → click B before its timer" in few


def test_a_name_with_a_figure_in_it_is_the_same_when_that_has_changed() -> None:
    speeds = [asks(f"click River at {speed} kB/s A", writes("div#out", LIST)) for speed in (1, 20, 333)]
    assert len(candidates(speeds)) == 1
    assert all(pair.repeats for pair in candidates(speeds))


def test_what_is_sent_has_its_turn_more_often() -> None:
    """Saved and deleted, added and undone: before each view has been asked for twice and all by themselves."""
    out = writes("div#out", LIST)
    save = user("click Save A")
    sent = Effect(requests=(Request("POST", "http://app.test/save"),))
    saves = reaction((save, sent), (answer("POST /save", save), out))
    views = [asks(f"click View {name}", out) for name in "BCD"]
    tried = [str(pair) for pair in candidates([*views, saves])]
    places = [place for place, pair in enumerate(tried) if pair.startswith("click Save A")]
    assert len(places) == 4
    assert places[1] <= 2, "its second pair comes with the first ones of the views"
    assert places[2] < len(tried) - 3
