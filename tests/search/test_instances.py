"""Instances of an application: who gets which, and where there can be one only."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jostle.config.application import Application
from jostle.config.settings import AppSettings, Browser, Configuration, Loaded
from jostle.errors import ApplicationProblem
from jostle.exploring.opening import explored
from jostle.search.browsers import BrowserChoice, Browsers
from jostle.search.instances import Instance, Instances, only_one
from jostle.search.subject import Subject
from tests.config.test_application import free_port

URL = "http://localhost:3000/"
SERVER = Path(__file__).parents[1] / "notes_server.py"


def instances(number: int) -> Instances:
    application = Application(Loaded(Configuration(url=URL, app=AppSettings(start="x {port}")), None), Path("log"))
    several = Instances(application, URL)
    several._running += [Instance(application.another(each), URL) for each in range(1, number)]
    return several


@given(st.integers(1, 4), st.lists(st.integers(0, 3)))
def test_nobody_shares_one_as_long_as_there_are_enough(number: int, turns: list[int]) -> None:
    """`turns`: who begins one, or ends the one that he has begun."""
    several = instances(number)
    lent: dict[int, tuple[contextlib.AbstractContextManager[Instance], Instance]] = {}
    for who in (each for each in turns if each < number):
        if who in lent:
            lent.pop(who)[0].__exit__(None, None, None)
        else:
            lending = several.lent()
            lent[who] = lending, lending.__enter__()
        used = [id(instance) for _, instance in lent.values()]
        assert len(set(used)) == len(used)


def test_any_number_may_use_the_only_one() -> None:
    several = instances(1)
    with several.lent() as one, several.lent() as other:
        assert one is other is several.first


def test_the_dead_are_not_lent_but_for_the_last() -> None:
    several = instances(2)
    first = several.first
    several.drop(first)
    several.drop(first)
    with several.lent() as left:
        assert left is not first
        several.drop(left)
    with several.lent() as still:
        assert still is left and len(several) == 1


def test_only_browsers_of_other_instances_are_led_elsewhere() -> None:
    several = instances(2)
    with several.lent() as first, several.lent() as second:
        assert first.arguments == ()
        [rule] = second.arguments
        assert f"MAP localhost:3000 localhost:{second.application.port}" in rule


@pytest.mark.parametrize(
    ("start", "reset", "url", "connect", "told"),
    [
        ("x {port}", "seed {port}", URL, False, ""),
        (("x", "--port={port}"), "seed {instance}", URL, False, ""),
        ("PORT=$JOSTLE_PORT x", "seed $JOSTLE_INSTANCE", URL, False, ""),
        ("x {port}", "POST http://localhost:{port}/reset", URL, False, ""),
        ("x {port}", "http://127.0.0.1:3000/reset", "http://127.0.0.1:3000/shop", False, ""),
        ("x", "seed {port}", URL, False, "`app.start`"),
        (None, "seed {port}", URL, False, "`app.start`"),
        ("port=1; x ${port}", "seed {port}", URL, False, "`app.start`"),
        ("x {port}", "seed", URL, False, "`app.reset`"),
        ("x {port}", "POST http://localhost:9000/reset", URL, False, "`app.reset`"),
        ("x {port}", "POST http://localhost:${port}/reset", URL, False, "`app.reset`"),
        ("x {port}", "seed {port}", "http://localhost:4000/", False, "http://localhost:4000/ is tested"),
        ("x {port}", "seed {port}", URL, True, "running already"),
    ],
)
def test_where_there_can_be_one_only(
    start: str | tuple[str, ...] | None, reset: str, url: str, connect: bool, told: str
) -> None:
    why = only_one(Configuration(url=URL, app=AppSettings(start=start, reset=reset)), url, connect=connect)
    assert (told in why) if told else not why


class Notes:
    """A real application with notes, of which there may be several."""

    def __init__(self, folder: Path, **browser: object) -> None:
        self.folder = folder
        self.url = f"http://localhost:{free_port()}/"
        start = f"exec {sys.executable} {SERVER} {{port}} {folder}/journal-{{instance}}"
        app = AppSettings(start=start, reset=f"{self.url}reset")
        self.loaded = Loaded(Configuration(url=self.url, app=app, browser=Browser(**browser)), None)  # type: ignore[arg-type]

    @contextlib.contextmanager
    def running(self) -> Iterator[Instances]:
        with Application(self.loaded, self.folder / "application.log") as application:
            yield Instances(application, self.url)

    def subject(self, several: Instances, browsers: Browsers) -> Subject:
        return Subject(self.url, self.loaded, several, browsers)

    def journal(self, instance: int) -> list[str]:
        return (self.folder / f"journal-{instance}").read_text().splitlines()


@pytest.mark.browser
@pytest.mark.usefixtures("own_browsers")
def test_resets_of_one_instance_leave_the_other_alone(tmp_path: Path) -> None:
    notes = Notes(tmp_path)

    async def work(several: Instances) -> None:
        async with Browsers() as browsers:
            await several.grow(browsers)
            one, other = notes.subject(several, browsers), notes.subject(several, browsers)
            async with one.browser() as first, other.browser() as second:
                mine, others = (
                    explored(one, one.opened(first, one.view)),
                    explored(other, other.opened(second, other.view)),
                )
                for looking in (mine, others):
                    await looking.reset()
                for looking in (mine, others, mine):
                    [add] = [each for each in await looking.enabled() if "Add" in each.what]
                    await looking.step(add)
                await other.restore(second)  # one page has two notes; the other's application has none any more
                for looking, shown in ((mine, "2 notes"), (others, "0 notes")):
                    [count] = [each for each in await looking.enabled() if "Count" in each.what]
                    await looking.step(count)
                    assert (
                        await looking.evaluate("said.textContent + ' at ' + location.href") == f"{shown} at {notes.url}"
                    )
                    await looking.app.close()

    with notes.running() as several:
        asyncio.run(asyncio.wait_for(work(several), 60))
    host = notes.url.split("/")[2]
    assert [notes.journal(each).count(f"POST /notes {host}") for each in (0, 1)] == [2, 1]
    assert sum(line.startswith("POST /reset") for line in notes.journal(1)) == 2


@pytest.mark.browser
@pytest.mark.usefixtures("own_browsers")
def test_a_browser_that_does_not_get_to_its_instance_is_noticed(tmp_path: Path) -> None:
    notes = Notes(tmp_path)
    choice = BrowserChoice(arguments=("--host-resolver-rules=MAP localhost 127.0.0.1",))

    async def work(several: Instances) -> None:
        async with Browsers(choice) as browsers:
            await several.grow(browsers)

    with notes.running() as several:
        with pytest.raises(ApplicationProblem, match=r"should get there ends up at port \d+") as caught:
            asyncio.run(asyncio.wait_for(work(several), 60))
        assert "browser.args" in caught.value.advice
        assert len(several) == 1
