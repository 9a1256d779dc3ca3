"""Finding again what goes by another name."""

from __future__ import annotations

from jostle.events import Event, Kind, event_of
from jostle.exploring.alike import entry, in_same_entry, kin, renumbered


def click(name: str, place: str = "/button", href: str = "") -> Event:
    detail = {"action": "click", "xpath": place, "locator": {"name": name}, **({"href": href} if href else {})}
    return event_of(kind=Kind.USER, what=f'click {"link" if href else "button"} "{name}"', detail=detail)


def typed(value: str, name: str = "Note 1") -> Event:
    locator = {"words": f'textbox "{name}"'}
    detail = {"action": "type", "xpath": "/input", "value": value, "field": {"type": "text"}, "locator": locator}
    return event_of(kind=Kind.USER, what=f'type "{value}" in textbox "{name}"', detail=detail)


def test_a_button_with_a_number() -> None:
    assert renumbered(click("Like 29"), [click("Dislike 3"), click("Like 30")]) == click("Like 30")
    assert renumbered(click("Like 29"), [click("Like 30", "/other")]) is None
    assert renumbered(click("Like 29"), [click("Love 30")]) is None


def test_what_is_named_by_what_is_measured() -> None:
    river, again = (
        click("River 0 Paused 0 B of 327.6 kB (0.00%)", "/li[1]"),
        click("Ratio: 0.00, ▲0 kB/s River 0", "/li[1]"),
    )
    assert renumbered(river, [click("Letter, 3 kB", "/li[2]"), again]) == again
    assert renumbered(river, [click("Letter 0 Idle 0 B of 393.2 kB (0.00%)", "/li[1]")]) is None
    assert renumbered(river, [click("Ratio: 0.00 River 0", "/li[2]")]) is None
    assert renumbered(click("Remove River", "/li[1]"), [click("Resume River", "/li[1]")]) is None


def test_a_link_by_where_it_leads() -> None:
    offered = [click("Soup, 3 likes", "/a[1]", "/soup"), click("Soup, 5 likes", "/a[2]", "/other-soup")]
    assert renumbered(click("Soup, 4 likes", "/a[9]", "/other-soup"), offered) == offered[1]


def test_what_is_typed_stays_the_same() -> None:
    found = renumbered(typed("milk"), [typed("", "Note 2")])
    assert found is not None
    assert found.what == 'type "milk" in textbox "Note 2"' and found.action.value == "milk"


def test_entries_of_a_list_are_kin() -> None:
    rows = [click(f"Archive {name}", f"/li[{n}]/button") for n, name in enumerate(("Invoice", "New flour"), 1)]
    assert kin(rows[0]) == kin(rows[1])
    assert kin(rows[0]) != kin(click("Open Invoice", "/li[1]/button"))
    assert kin(rows[0]) != kin(click("Archive", "/header/button"))
    books = [click(name, f"/li[{n}]/a", f"/book/{n}") for n, name in enumerate(("The River", "A Garden"), 1)]
    assert kin(books[0]) == kin(books[1])
    assert kin(books[0]) != kin(click("The River", "/li[1]/a", "/author/1"))


def test_what_is_done_to_one_entry() -> None:
    save = click("Save name", "/ul/li[2]/form/button")
    delete = click("Delete Import", "/ul/li[3]/span/button[2]")
    assert entry(save, delete) == "/ul/li[2]"
    assert entry(delete, save) == "/ul/li[3]"
    assert entry(save, click("Clear", "/header/button")) == "", "not in the list"
    assert entry(save, click("Cancel", "/ul/li[2]/form/button[2]")) == "", "in the same entry"
    assert entry(save, click("Delete", "/ul/li/span/button")) == "", "where there is only one, it is the same"
    offered = [click(f"{what} {name}", f"/ul/li[{n}]/span/button[{k}]")
               for n, name in enumerate(("Access", "BILLS", "Import"), 1)
               for k, what in enumerate(("Rename", "Delete"), 1)]  # fmt: skip
    assert in_same_entry(delete, save, offered) == offered[3], "whatever it is called by now"
    assert in_same_entry(delete, save, offered[:2]) is None
    same = click("Delete Billing", "/ul/li[2]/span/button[2]")
    assert in_same_entry(same, save, offered) == offered[3]
