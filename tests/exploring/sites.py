"""Synthetic web sites in memory, as the browser would show them: events with elements, XPaths, fields and addresses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from jostle.events import Effect, Event, Field, Kind, NotEnabled, State, event_of
from jostle.exploring.forms import accepts

HOST = "http://site.test"


class Control:
    """Something on a page that can be acted on."""

    def __init__(
        self,
        words: str,
        xpath: str,
        do: Callable[[str], object],
        *,
        action: str = "click",
        element: str = "a",
        **detail: Any,
    ) -> None:
        self.do = do
        self.detail = {"action": action, "element": element, "xpath": f"/html/body/{xpath}", **detail}
        self.words = words

    def event(self, counts: Counter[str]) -> Event:
        detail = dict(self.detail)
        words = self.words
        if detail["action"] == "type":
            detail |= {"value": "milk", "locator": {"words": words}}
            words = f'type "milk" in {words}'
        return event_of(kind=Kind.USER, what=words, occurrence=counts[words] + 1, detail=detail)


class Site:
    """An App of pages. A page is a method that returns its controls; `self.path` says which one is shown."""

    def __init__(self) -> None:
        self.seen: set[str] = set()
        self.begin()

    def begin(self) -> None:
        self.path = "/"
        self.counts: Counter[str] = Counter()

    def controls(self) -> list[Control]:
        raise NotImplementedError

    def screen(self) -> str:
        """What tells the state from others."""
        return self.path

    def go(self, path: str) -> Callable[[str], None]:
        def leave(value: str) -> None:
            self.path = path

        return leave

    def link(self, name: str, xpath: str, path: str) -> Control:
        return Control(f'click link "{name}"', xpath, self.go(path), href=HOST + path)

    async def reset(self) -> None:
        self.begin()

    async def enabled(self) -> Sequence[Event]:
        return [control.event(self.counts) for control in self.controls()]

    async def waiting(self) -> Sequence[Event]:
        return ()

    async def step(self, event: Event) -> Effect:
        self.counts[event.what] += 1
        if event.action.type == "visit":
            self.path = event.action.href.removeprefix(HOST)
            return Effect()
        for control in self.controls():
            action = event.action
            if (control.detail["xpath"], control.detail["action"]) == (action.xpath, action.type) and (
                control.words == event.what or action.type == "type"
            ):
                control.do(action.value or "")
                return Effect()
        raise NotEnabled(event)

    async def state(self) -> State:
        self.seen.add(self.screen())
        return State(digest=self.screen(), url=HOST + self.path, title=self.path)


class Sections(Site):
    """A home page with sections, each with pages of its own; every page has the same bar of links on top."""

    sections: Sequence[str] = ()
    pages = 4

    def bar(self) -> list[Control]:
        home = [self.link("Home", "nav/a", "/")]
        return home + [self.link(name, f"nav/ul/li[{n}]/a", f"/{name}") for n, name in enumerate(self.sections, 1)]

    def section(self) -> list[Control]:
        _, name, *rest = self.path.split("/")
        if rest or name not in self.sections:
            return []
        return [self.link(f"{name} {n}", f"main/p[{n}]/a", f"/{name}/{n}") for n in range(1, self.pages + 1)]

    def controls(self) -> list[Control]:
        return [*self.bar(), *self.section()]


class Wizard(Sections):
    """Steps that let nobody on before every field is right."""

    sections = ("Help", "Prices", "Contact")
    steps = 8
    fields: Sequence[dict[str, Any]] = (
        {"type": "email", "required": True},
        {"type": "text", "pattern": "[A-Z]{2}[0-9]{4}", "required": True},
        {"type": "number", "min": "10", "max": "20", "required": True},
        {"type": "date", "min": "2030-01-01", "required": True},
        {"type": "text", "label": "Comment", "maxlength": "30"},
    )

    def begin(self) -> None:
        super().begin()
        self.values = [""] * len(self.fields)

    def controls(self) -> list[Control]:
        controls = super().controls()
        if self.path == "/":
            controls.append(Control('click button "Begin"', "main/button", self.forward, element="button"))
        if self.path.startswith("/step"):
            form = "main/form"
            for n, field in enumerate(self.fields):

                def write(value: str, n: int = n) -> None:
                    self.values[n] = value

                controls.append(
                    Control(
                        f'textbox "{n}"',
                        f"{form}/div[{n + 1}]/input",
                        write,
                        action="type",
                        element=f"input:{field['type']}",
                        field={**field, "value": self.values[n]},
                    )
                )
            controls.append(Control('click button "Next"', f"{form}/button[1]", self.forward, element="button"))
            controls.append(Control('click button "Start over"', f"{form}/button[2]", self.over, element="button"))
        return controls

    def forward(self, value: str) -> None:
        step = int(self.path.removeprefix("/step")) if self.path.startswith("/step") else 0
        if step and not all(
            accepts(Field(**field), value) for field, value in zip(self.fields, self.values, strict=True)
        ):
            return
        self.values = [""] * len(self.fields)
        self.path = f"/step{step + 1}" if step < self.steps else "/thanks"

    def over(self, value: str) -> None:
        self.path = "/step1"


class Menu(Site):
    """A menu in a menu in a menu; choosing anything closes it, and Escape does too."""

    width, depth = 4, 4

    def begin(self) -> None:
        super().begin()
        self.open: tuple[int, ...] = ()

    def screen(self) -> str:
        return f"{self.path} {self.open}"

    def controls(self) -> list[Control]:
        controls = []
        for level in range(len(self.open) + 1):
            above = self.open[:level]
            for n in range(self.width):
                entry = (*above, n)
                place = "/".join(f"ul/li[{each + 1}]" for each in entry)
                name = ".".join(map(str, entry))
                if len(entry) < self.depth:
                    controls.append(
                        Control(f'hover over menuitem "{name}"', f"{place}/span", self.opens(entry), action="hover")
                    )
                else:
                    controls.append(Control(f'click menuitem "{name}"', f"{place}/a", self.chooses(name)))
        controls.append(Control("press Escape", "", self.closes, action="press", value="Escape"))
        return controls

    def opens(self, entry: tuple[int, ...]) -> Callable[[str], None]:
        def show(value: str) -> None:
            self.open = entry

        return show

    def chooses(self, name: str) -> Callable[[str], None]:
        def leave(value: str) -> None:
            self.open = ()
            self.path = f"/{name}"

        return leave

    def closes(self, value: str) -> None:
        self.open = ()


class BigList(Sections):
    """A hundred items of one shape on every page, and some sections beside them."""

    sections = ("About", "Team", "Jobs", "Press", "Legal", "Blog")
    items = 100

    def controls(self) -> list[Control]:
        items = [self.link(f"Item {n}", f"div/ul/li[{n}]/a", f"/item/{n}") for n in range(1, self.items + 1)]
        if self.path.startswith("/item"):
            return [
                *self.bar(),
                Control('click button "Like"', "main/button", lambda value: None, element="button"),
                *items,
            ]
        return [*super().controls(), *items]

    def screen(self) -> str:
        return "/item" if self.path.startswith("/item") else self.path


class Calendar(Sections):
    """Months without end, each day of each a page of its own."""

    sections = ("Rooms", "People", "Reports", "Settings")
    pages = 8

    def controls(self) -> list[Control]:
        month = int(self.path.split("/")[2]) if self.path.startswith("/month/") else 0
        controls = super().controls()
        if self.path == "/" or self.path.startswith("/month/"):
            controls.append(self.link("Before", "main/header/a[1]", f"/month/{month - 1}"))
            controls.append(self.link("Next", "main/header/a[2]", f"/month/{month + 1}"))
            for day in range(1, 31):
                place = f"main/table/tr[{(day - 1) // 7 + 1}]/td[{(day - 1) % 7 + 1}]/a"
                controls.append(self.link(f"{day} of month {month}", place, f"/month/{month}/{day}"))
        return controls


class Feed(Sections):
    """A page that grows whenever it is scrolled; what else there is lies behind a dialog that has to be opened."""

    sections = ("Profile", "Friends", "Groups", "Help")

    def begin(self) -> None:
        super().begin()
        self.posts = 10
        self.dialog = 0

    def controls(self) -> list[Control]:
        if self.dialog:
            return [
                Control('click button "Close"', "dialog/button[1]", self.shows(0), element="button"),
                Control(
                    'click button "More"', "dialog/button[2]", self.shows(min(self.dialog + 1, 6)), element="button"
                ),
            ]
        controls = super().controls()
        if self.path == "/":
            for n in range(1, self.posts + 1):
                controls.append(
                    Control(f'click button "Like post {n}"', f"main/article[{n}]/button", lambda value: None)
                )
            controls.append(Control("scroll down the page", "", self.grow, action="scroll", value="down"))
            controls.append(Control('click button "Write"', "footer/button", self.shows(1), element="button"))
        return controls

    def shows(self, dialog: int) -> Callable[[str], None]:
        def show(value: str) -> None:
            self.dialog = dialog

        return show

    def grow(self, value: str) -> None:
        self.posts += 10

    def screen(self) -> str:
        return f"{self.path} {self.dialog}"
