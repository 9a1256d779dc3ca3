"""Small applications in memory whose events have costs, with known answers."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from jostle.events import Effect, Event, ModelApp, NotEnabled, Request, State, Thrown, World

Screen = Callable[[Mapping[str, Any]], str]


class Costed:
    """A ModelApp in which the variable `cost` is what the last event cost, and the screen is the state."""

    def __init__(self, model: ModelApp, screen: Screen) -> None:
        self.model = model
        self._screen = screen
        self.done: list[str] = []

    async def reset(self) -> None:
        await self.model.reset()

    async def enabled(self) -> Sequence[Event]:
        return await self.model.enabled()

    async def waiting(self) -> Sequence[Event]:
        return ()

    async def step(self, event: Event) -> Effect:
        offered = {each.what: each for each in await self.model.enabled()}
        if event.what not in offered:
            raise NotEnabled(event)
        effect = await self.model.step(offered[event.what])
        self.done.append(event.what)
        return msgspec.structs.replace(effect, cost=self.model.variables["cost"])

    async def state(self) -> State:
        screen = self._screen(self.model.variables)
        return State(digest=screen, url=f"http://app.test/{screen}")


class Written(Costed):
    """New items are written down, which can be seen."""

    async def step(self, event: Event) -> Effect:
        before = self.model.variables["items"]
        effect = await super().step(event)
        if self.model.variables["items"] == before:
            return effect
        return msgspec.structs.replace(effect, requests=(Request(method="POST", url="http://app.test/items"),))


def costs(cost: Callable[[World], int]) -> Callable[[World], None]:
    def handler(world: World) -> None:
        world["cost"] = cost(world)

    return handler


def goes(page: str, cost: int = 5) -> Callable[[World], None]:
    def handler(world: World) -> None:
        world["page"] = page
        world["cost"] = cost

    return handler


def adds(variable: str = "items", number: int = 1, most: int = 10**9, cost: int = 8) -> Callable[[World], None]:
    def handler(world: World) -> None:
        world[variable] = min(most, world[variable] + number)
        world["cost"] = cost

    return handler


def on(page: str) -> Callable[[Any], bool]:
    return lambda view: bool(view["page"] == page)


def by_page(variables: Mapping[str, Any]) -> str:
    return str(variables["page"])


PAGES = ("home", "help", "about", "news")


def site(
    handlers: Mapping[str, Callable[[World], object]],
    variables: Mapping[str, Any] | None = None,
    *,
    guards: Mapping[str, Callable[[Any], bool]] | None = None,
    links: int = 4,
) -> Costed:
    """An application on the page `home`, beside some pages that have nothing to do with it."""
    pages = PAGES[:links]
    moves = {f'click link "{page}"': goes(page) for page in pages}
    held = {name: on("home") for name in handlers} | dict(guards or {})
    model = ModelApp(
        {"page": "home", "cost": 0, "items": 0, **(variables or {})},
        {**handlers, **moves},
        actions=[*handlers, *moves],
        guards=held,
    )
    return Costed(model, by_page)


def elsewhere() -> Costed:
    """A page that is shown the first time only: its link leads elsewhere ever after, and back again."""

    def opens(world: World) -> None:
        world["page"] = "elsewhere" if world["seen"] else "offer"
        world["seen"], world["cost"] = True, 5

    staying = {f'click button "{name}"': adds(name, cost=9) for name in ("one", "two", "three")}
    return site(
        {
            'click link "Offer"': opens,
            'click link "Back"': goes("home"),
            'click checkbox "Dark"': costs(lambda world: 3),
            **staying,
        },
        {"seen": False, "one": 0, "two": 0, "three": 0},
        guards={
            'click link "Back"': lambda view: view["page"] in ("offer", "elsewhere"),
            **{name: on("offer") for name in staying},
        },
        links=1,
    )


def types(world: World) -> None:
    world["text"] = "milk"
    world["cost"] = 2


def todo() -> Costed:
    """Filtering looks at every item; items come by adding (with a text), by duplicating and by importing."""

    def add(world: World) -> None:
        world["cost"] = 4
        if world["text"]:
            world["items"] += 1
            world["text"] = ""
            world["cost"] = 12

    return site(
        {
            'type in textbox "New"': types,
            'click button "Add"': add,
            'click button "Duplicate"': adds(cost=9),
            'click button "Import"': adds(number=3, cost=20),
            'click button "Filter"': costs(lambda world: 30 + 6 * world["items"]),
            'click checkbox "Dark"': costs(lambda world: 3),
        },
        {"text": ""},
    )


def menu() -> Costed:
    """The paper's example: the list of menus opens ever more slowly; an item is saved only when it has a name."""

    def save(world: World) -> None:
        world["cost"] = 8
        if world["name"]:
            world["items"] += 1
            world["name"] = False
            world["page"] = "admin"

    def new(world: World) -> None:
        world["page"], world["name"], world["cost"] = "new item", False, 3

    def name(world: World) -> None:
        world["name"], world["cost"] = True, 1

    handlers = {
        'click link "Menu items"': goes("menu items", 4),
        'click link "New"': new,
        'type in textbox "Name"': name,
        'click button "Save"': save,
        'click link "Cancel"': goes("admin", 2),
        'hover over menu "Menus"': costs(lambda world: 14 + 4 * world["items"]),
    }
    guards = {
        'click link "Menu items"': on("admin"),
        'click link "New"': on("menu items"),
        'type in textbox "Name"': on("new item"),
        'click button "Save"': on("new item"),
        'click link "Cancel"': lambda view: bool(view["page"] in ("new item", "menu items")),
        'hover over menu "Menus"': on("admin"),
    }
    model = ModelApp(
        {"page": "admin", "cost": 0, "items": 0, "name": False}, handlers, actions=list(handlers), guards=guards
    )
    return Costed(model, by_page)


def paged(size: int = 50) -> Costed:
    """A list that shows no more than `size` items."""
    return site(
        {
            'click button "Add article"': adds(),
            'click button "Sort by date"': costs(lambda world: 10 + 5 * min(size, world["items"])),
        }
    )


def crash(at: int = 12) -> Costed:
    """From so many items on the server cannot show the list any more."""

    def show(world: World) -> None:
        world["cost"] = 6
        if world["items"] >= at:
            raise Thrown("PacketTooLarge: the answer has no rows")
        world["cost"] = 20 + 7 * world["items"]

    return site({'click button "Add block"': adds(), 'click button "Show"': show})


def crash_and_lose(at: int = 12) -> Costed:
    """From so many items on the application shows that it failed; opening it anew helps, and empties it."""

    def show(world: World) -> None:
        world["cost"] = 20 + 7 * world["items"]
        if world["items"] >= at:
            world["page"], world["cost"] = "sorry", 6
            raise Thrown("PacketTooLarge: the answer has no rows")

    def home(world: World) -> None:
        world["page"], world["items"], world["cost"] = "home", 0, 5

    handlers = {'click button "Add block"': adds(), 'click button "Show"': show, 'click link "home"': home}
    return site(handlers, guards={'click link "home"': lambda view: True}, links=0)


def sorting() -> Costed:
    def sort(world: World) -> int:
        size = int(world["items"]) + 2
        return 10 + round(3 * size * math.log2(size))

    return site({'click button "Add row"': adds(), 'click button "Sort"': costs(sort)})


def guests() -> Costed:
    """A name is typed and added, and all are sorted by exchanging neighbours; without a name nothing is done."""

    def add(world: World) -> None:
        world["cost"] = 0
        if world["text"]:
            world["items"], world["text"] = world["items"] + 1, ""
            size = 16 + int(world["items"])
            world["cost"] = 10 + size + size * (size - 1) // 2

    return site({'type in textbox "Name"': types, 'click button "Add guest"': add}, {"text": ""})


class Boxes(Costed):
    """Boxes of a list, each at a place of its own: what is checked can be unchecked there."""

    async def enabled(self) -> Sequence[Event]:
        places = {name: f"/html/body/ul/li[{n}]/input" for n, name in enumerate(("Tea", "Milk"), 1)}
        return [
            each.with_detail(type="check", xpath=places[name]) if (name := each.what.split('"')[1]) in places else each
            for each in await self.model.enabled()
        ]


def boxes(piling_up: bool = True) -> Costed:
    """Every change of a box adds a listener to the list; without `piling_up` none does."""

    def changes(name: str, checked: bool) -> Callable[[World], None]:
        def handler(world: World) -> None:
            world[name], world["items"] = checked, world["items"] + piling_up
            world["cost"] = 50 + 3 * world["items"]

        return handler

    names = ("Tea", "Milk")
    handlers: dict[str, Callable[[World], None]] = {}
    guards: dict[str, Callable[[Any], bool]] = {}
    for name in names:
        handlers |= {f'{"" if on else "un"}check checkbox "{name}"': changes(name, on) for on in (True, False)}
        guards[f'check checkbox "{name}"'] = lambda view, name=name: not view[name]  # type: ignore[misc]
        guards[f'uncheck checkbox "{name}"'] = lambda view, name=name: bool(view[name])  # type: ignore[misc]
    model = ModelApp(
        {"page": "home", "cost": 0, "items": 0, **dict.fromkeys(names, False)},
        handlers,
        actions=list(handlers),
        guards=guards,
    )
    return Boxes(model, by_page)


def squares() -> Costed:
    return site(
        {
            'click button "Add row"': adds(),
            'click button "Compare"': costs(lambda world: 10 + 3 * int(world["items"]) ** 2),
        }
    )


def moody() -> Costed:
    """The cost depends on what was typed: it goes up and down, and nothing piles up."""

    def search(world: World) -> int:
        world["items"] += 1
        return 40 + (int(world["items"]) * 7919) % 23

    return site({'type in textbox "Query"': types, 'click button "Search"': costs(search)}, {"text": ""})


def lazy(first: int = 90) -> Costed:
    """Only the first time is different."""

    def use(world: World) -> int:
        world["items"] += 1
        return first if world["items"] == 1 else 30

    return site({'click button "Open"': costs(use), 'click button "Close"': costs(lambda world: 3)})


def vanishing(times: int = 3) -> Costed:
    """What makes it slower can be done only a few times."""
    return site(
        {
            'click button "Take one"': adds(),
            'click button "Count"': costs(lambda world: 10 + 5 * world["items"]),
        },
        guards={'click button "Take one"': lambda view: bool(view["page"] == "home" and view["items"] < times)},
    )


def itself() -> Costed:
    """Every line that is logged draws all lines anew."""

    def log(world: World) -> int:
        world["items"] += 1
        return 5 + 4 * int(world["items"])

    return site({'click button "Log"': costs(log), 'click button "Beep"': costs(lambda world: 2)})


def both_ways() -> Costed:
    """Two buttons that each draw everything and each add something."""

    def draw(world: World) -> int:
        world["items"] += 1
        return 9 + 2 * int(world["items"])

    return site({'click button "Left"': costs(draw), 'click button "Right"': costs(draw)})


def members() -> Costed:
    """Who has logged in, which takes a name, sees other pages behind the same links, and posts by filling in a field;
    each post is looked at again with every further one."""

    def log_in(world: World) -> None:
        world["cost"] = 3
        if world["name"]:
            world["member"], world["page"] = True, "home"

    def post(world: World) -> None:
        world["cost"] = 1
        if world["text"]:
            world["items"], world["text"] = world["items"] + 1, ""
            world["cost"] = 10 + 4 * world["items"]

    def name(world: World) -> None:
        world["name"], world["cost"] = "Ann", 1

    handlers = {
        'type in textbox "Name"': name,
        'click button "Log in"': log_in,
        'type in textbox "Comment"': types,
        'click button "Post"': post,
    }
    moves = {f'click link "{page}"': goes(page) for page in ("home", "login", "recipe", "list", "about")}
    model = ModelApp(
        {"page": "home", "cost": 0, "items": 0, "name": "", "text": "", "member": False},
        {**handlers, **moves},
        actions=[*handlers, *moves],
        guards={
            'type in textbox "Name"': on("login"),
            'click button "Log in"': on("login"),
            'type in textbox "Comment"': lambda view: bool(view["page"] == "recipe" and view["member"]),
            'click button "Post"': lambda view: bool(view["page"] == "recipe" and view["member"]),
            'click link "login"': lambda view: not view["member"] and view["page"] in ("list", "login"),
            'click link "recipe"': lambda view: view["page"] in ("home", "list"),
        },
    )
    return Written(model, lambda world: f"{world['page']}{' of a member' if world['member'] else ''}")
