"""Logging in by a recorded trace: what the user did is done again on the live application.

Only the user's actions are taken from the recording. What the server sends this time (tokens in forms, cookies,
redirects) is what counts, so nothing is compared with what it sent then.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from jostle.addresses import split_url
from jostle.browser.chromium_app import ChromiumApp
from jostle.errors import ApplicationProblem, ConfigurationProblem
from jostle.events import Effect, Event, Locator, NotEnabled, Settled
from jostle.recording.file import Recording
from jostle.recording.passwords import PASSWORD, is_missing, with_password
from jostle.recording.replay import as_recorded
from jostle.text import cut

_LOG_IN = re.compile(
    r"\b(log|sign)[-_ ]?in\b|\b(anmelden|connexion|acceder|entrar|accedi|inloggen|auth)\b", re.IGNORECASE
)
_LONGEST_SHOWN = 200
_ADVICE = (
    "Log in by hand with the same steps to see what is wrong, and record it again: jostle record URL -o FILE. "
    "A user name or password may have changed."
)


class PasswordEntry(msgspec.Struct, frozen=True):
    """A password that was entered: where."""

    url: str
    locator: Locator | None


class LogInEnd(msgspec.Struct, frozen=True, kw_only=True):
    """How things are when all was done."""

    url: str
    status: int
    """Of the document that came last; 0 when none did."""
    recorded: int = 0
    """The same when it was recorded."""
    offered: Sequence[Event]


async def log_in(app: ChromiumApp, recording: Recording, name: str) -> bool:
    """Do what was recorded, and make sure that it has led in; whether a password was entered on the way.

    `name` is for messages. Raises ApplicationProblem when it did not log in, and ConfigurationProblem when it cannot.
    """
    done = with_password(recording).user_events
    if recording.manifest.redacted and any(map(is_missing, done)):
        raise ConfigurationProblem(
            f"login.trace: the password is not in {name}, as secrets are not recorded.",
            advice=f"Set {PASSWORD} in the environment; or record it with --no-redact, and keep the file to yourself.",
        )
    dialogs = [dialog for step in recording.trace.steps for dialog in step.effect.dialogs]
    app.on_dialog = lambda kind, message, default: as_recorded(dialogs, kind, message, default)
    settled = Settled(app)
    await settled.reset()
    status, entry = _status(settled.last_effect), None
    for event in done:
        if event.action.is_secret and event.action.enters_text:
            entry = PasswordEntry((await app.state()).url, event.action.locator)
        try:
            effect = await settled.step(event)
        except NotEnabled as refused:
            raise _failed(name, f"{cut(str(event), _LONGEST_SHOWN)} was not possible: {refused.reason}") from None
        if effect.hung:
            raise _failed(name, effect.hung)
        status = _status(effect) or status
    state = await app.state()
    recorded = next(filter(None, (_status(step.effect) for step in reversed(recording.trace.steps))), 0)
    end = LogInEnd(url=state.url, status=status, recorded=recorded, offered=await settled.enabled())
    if why := why_not_in(end, entry):
        raise _failed(name, why)
    return entry is not None


def why_not_in(end: LogInEnd, entry: PasswordEntry | None) -> str:
    """Why one is still outside, in words; empty when one seems to be in. `entry`: the last password entered."""
    where = cut(end.url, _LONGEST_SHOWN)
    # A wrong token is a bad request to one framework, forbidden to another, expired to a third.
    if end.status in (401, 403) or (end.status >= 400 and end.status != end.recorded):
        return f"{where} was answered with status {end.status}"
    if entry is None:
        return ""
    same_page = split_url(end.url).path == split_url(entry.url).path
    asked = [event.action for event in end.offered if event.action.field and event.action.field.type == "password"]
    if any(same_page or _is_same(action.locator, entry.locator) for action in asked):
        return f"{where} still asks for the password"
    if same_page and _LOG_IN.search(split_url(end.url).path):
        return f"the page is still {where}"
    return ""


def _is_same(one: Locator | None, other: Locator | None) -> bool:
    return (
        one is not None and other is not None and (one.role, one.name, one.css) == (other.role, other.name, other.css)
    )


def _status(effect: Effect) -> int:
    """Of the last page that came."""
    pages = [answer.status for answer in effect.answers if answer.resource == "document"]
    return pages[-1] if pages else 0


def _failed(name: str, why: str) -> ApplicationProblem:
    return ApplicationProblem(f"Logging in by {name} failed: {why}.", advice=_ADVICE)
