"""Getting in: log-in steps of the configuration, made into cookies and storage for every run."""

from __future__ import annotations

import asyncio
import inspect
from typing import Any

import msgspec

from jostle import untrusted
from jostle.addresses import split_url
from jostle.browser.address import origin
from jostle.browser.app_options import InitialState, NetworkRules
from jostle.browser.chromium import Chromium
from jostle.browser.chromium_app import ChromiumApp
from jostle.config.settings import Loaded
from jostle.errors import ApplicationProblem, ConfigurationProblem
from jostle.function import imported
from jostle.progress import Listener, Note, silent
from jostle.reading import read_named
from jostle.recording.file import Recording
from jostle.recording.login_trace import log_in


class StorageState(msgspec.Struct, frozen=True, kw_only=True):
    """Cookies and localStorage, in the form Playwright keeps them."""

    cookies: tuple[dict[str, Any], ...] = ()
    origins: tuple[dict[str, Any], ...] = ()

    @property
    def local_storage(self) -> dict[str, dict[str, str]]:
        """By origin, then by name."""
        return {
            str(each["origin"]): {str(item["name"]): str(item["value"]) for item in each.get("localStorage", ())}
            for each in self.origins
        }

    def is_for(self, url: str) -> bool:
        """Whether any of it is there for the page at an address."""
        parts = split_url(url)
        host = parts.hostname or ""
        domains = [str(cookie.get("domain", "")).lstrip(".") for cookie in self.cookies]
        return f"{parts.scheme}://{parts.netloc}" in self.local_storage or any(
            domain and (host == domain or host.endswith(f".{domain}")) for domain in domains
        )

    def moved(self, before: str, after: str) -> StorageState:
        """The same with what is stored for the origin of one address at that of the other."""
        origins = {origin(before): origin(after)}
        moved = ({**each, "origin": origins.get(str(each["origin"]), each["origin"])} for each in self.origins)
        return msgspec.structs.replace(self, origins=tuple(moved))

    @classmethod
    def from_json(cls, text: bytes) -> StorageState:
        """Raises ConfigurationProblem."""
        try:
            return _checked(untrusted.parsed(text), "The storage state")
        except ValueError as error:
            raise ConfigurationProblem(f"The storage state is not JSON: {error}.") from None

    @property
    def secrets(self) -> list[str]:
        """What lets one in: the values of cookies and of stored entries."""
        stored = [value for entries in self.local_storage.values() for value in entries.values()]
        return [*(str(cookie.get("value", "")) for cookie in self.cookies), *stored]


async def logged_in(
    loaded: Loaded, chromium: Chromium, url: str, listener: Listener = silent, *, directly: str = ""
) -> StorageState:
    """The state after logging in as the configuration says; empty when it says nothing. `directly`: where the
    application is that the browser finds at `url`, for those who go there without it."""
    login = loaded.configuration.login
    if login is None:
        return StorageState()
    listener(Note(text="Logging in ..."))
    if login.storage_state is not None:
        return _from_file(loaded, login.storage_state)
    if login.function is not None:
        state = await _from_function(loaded, login.function, directly or url)
        return state.moved(directly, url) if directly else state
    assert login.trace is not None
    return await _from_trace(loaded, login.trace, chromium, url)


def _from_file(loaded: Loaded, name: str) -> StorageState:
    path = loaded.path(name)
    try:
        return _checked(untrusted.parsed(read_named(path)), str(path))
    except OSError as error:
        raise ConfigurationProblem(f"login.storage_state: {path} cannot be read: {error.strerror}.") from None
    except ValueError as error:
        raise ConfigurationProblem(f"login.storage_state: {path} is not JSON: {error}.") from None


def _checked(value: Any, where: str) -> StorageState:
    try:
        state = msgspec.convert(value, StorageState)
        state.local_storage  # noqa: B018  (raises when an origin has no name)
    except (msgspec.ValidationError, KeyError, TypeError) as error:
        raise ConfigurationProblem(
            f"{where} does not hold a storage state: {error}.",
            advice="Expected is what Playwright's context.storage_state() gives: cookies and origins.",
        ) from None
    cookies = tuple({key: item for key, item in cookie.items() if item not in (None, "")} for cookie in state.cookies)
    return StorageState(cookies=cookies, origins=state.origins)


async def _from_function(loaded: Loaded, name: str, url: str) -> StorageState:
    """Call `function(url)`, which gives a storage state; it may be async."""
    function = imported(name, "login.function", loaded.directory)
    try:
        value = await function(url) if inspect.iscoroutinefunction(function) else await asyncio.to_thread(function, url)
    except Exception as error:
        raise ApplicationProblem(f"login.function: {name} failed: {type(error).__name__}: {error}") from error
    return _checked(value, f"What {name} gave")


async def _from_trace(loaded: Loaded, name: str, chromium: Chromium, url: str) -> StorageState:
    """Do a recorded log-in on the live application and take what it left in the browser."""
    recording = Recording.read(loaded.path(name))
    app = ChromiumApp(
        chromium,
        recording.manifest.url,
        initial=InitialState(seed=recording.manifest.seed),
        network=NetworkRules(allowed_origins=(*recording.manifest.origins, *loaded.configuration.allowed_origins)),
    )
    try:
        entered = await log_in(app, recording, name)
        state = await storage_state(app)
    finally:
        await app.close()
    if entered and not state.is_for(url):
        raise ApplicationProblem(
            f"Logging in by {name} left no cookies and no local storage for {split_url(url).netloc}.",
            advice=f"It was recorded at {recording.manifest.url}: record it at the address that is tested.",
        )
    return state


async def storage_state(app: ChromiumApp) -> StorageState:
    """Cookies and localStorage of a running application."""
    cookies = await app.cookies()
    storage: dict[str, dict[str, str]] = {}
    for part in await app.snapshots():
        parts = split_url(part["url"])
        if part["storage"]["local"]:
            storage.setdefault(f"{parts.scheme}://{parts.netloc}", {}).update(dict(part["storage"]["local"]))
    origins = tuple(
        {"origin": origin, "localStorage": [{"name": name, "value": value} for name, value in entries.items()]}
        for origin, entries in storage.items()
    )
    return StorageState(cookies=tuple(cookies), origins=origins)
