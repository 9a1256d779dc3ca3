"""Is one in? Judged by how things are when all was done."""

from __future__ import annotations

import pytest

from jostle.events import Event, Kind, Locator, event_of
from jostle.recording.login import StorageState
from jostle.recording.login_trace import LogInEnd, PasswordEntry, why_not_in

PASSWORD = Locator(words='password field "Password"', role="password field", name="Password", css="#p")
OTHER = Locator(words='password field "New"', role="password field", name="New", css="#n")
ENTRY = PasswordEntry("http://x/login?next=/", PASSWORD)


def field(locator: Locator) -> Event:
    detail = {
        "action": "type",
        "field": {"type": "password"},
        "locator": {"role": locator.role, "name": locator.name, "css": locator.css},
    }
    return event_of(Kind.USER, "type", detail=detail)


def end(url: str = "http://x/home", status: int = 200, *offered: Locator) -> LogInEnd:
    return LogInEnd(url=url, status=status, offered=[field(each) for each in offered])


@pytest.mark.parametrize("entry", [ENTRY, None])
@pytest.mark.parametrize("status", [400, 401, 403, 419, 500])
def test_refused(entry: PasswordEntry | None, status: int) -> None:
    assert why_not_in(end(status=status), entry) == f"http://x/home was answered with status {status}"


def test_still_at_the_door() -> None:
    asks = "still asks for the password"
    assert asks in why_not_in(end("http://x/login", 200, PASSWORD), ENTRY)
    assert asks in why_not_in(end("http://x/login", 200, OTHER), ENTRY)
    assert asks in why_not_in(end("http://x/again", 200, PASSWORD), ENTRY)  # the form was sent to another address
    assert why_not_in(end("http://x/login?failed"), ENTRY) == "the page is still http://x/login?failed"


def test_inside() -> None:
    assert why_not_in(end(), ENTRY) == ""
    assert why_not_in(end(status=0), ENTRY) == ""
    missing = LogInEnd(url="http://x/home", status=404, recorded=404, offered=[])
    assert why_not_in(missing, ENTRY) == ""  # as when it was recorded
    assert why_not_in(end("http://x/profile", 200, OTHER), ENTRY) == ""  # a form to change it
    assert why_not_in(end("http://x/app"), PasswordEntry("http://x/app", PASSWORD)) == ""  # a page that stays
    assert why_not_in(end("http://x/login", 200, PASSWORD), None) == ""  # no password was recorded


@pytest.mark.parametrize(
    ("domain", "url", "expected"),
    [
        ("x.org", "http://x.org/", True),
        (".x.org", "http://app.x.org:8000/", True),
        ("x.org", "http://ax.org/", False),
        ("localhost", "http://127.0.0.1/", False),
        ("", "http://x.org/", False),
    ],
)
def test_whose_cookies(domain: str, url: str, expected: bool) -> None:
    assert StorageState(cookies=({"name": "a", "value": "b", "domain": domain},)).is_for(url) == expected


def test_whose_storage() -> None:
    state = StorageState(origins=({"origin": "http://x:1", "localStorage": [{"name": "a", "value": "b"}]},))
    assert state.is_for("http://x:1/page")
    assert not state.is_for("http://x:2/page")
