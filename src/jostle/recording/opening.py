"""Opening an application in a browser: as the configuration says, or as a recording has it."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec

from jostle.browser.app_options import AppListeners, InitialState, NetworkRules
from jostle.browser.chromium import Chromium
from jostle.browser.chromium_app import ChromiumApp
from jostle.browser.dialog import OnDialog, accept
from jostle.browser.responders import Responder
from jostle.browser.settings import Limits, TabSettings
from jostle.config.settings import Configuration
from jostle.events import Effect, Event
from jostle.recording.file import Manifest
from jostle.recording.login import StorageState
from jostle.recording.pauses import pauses
from jostle.recording.recorder import Hears
from jostle.rewriting import ScriptRewriter

_REWRITTEN = 60.0
"""Seconds that an event's JavaScript may take when it has been rewritten."""
FRAMES = 30
"""Half a second of an animation is one event when nothing else happens meanwhile."""


def settings(configuration: Configuration) -> TabSettings:
    """What the page sees of the browser and what we look at of the page, as configured."""
    configured = configuration.browser
    width, height = configured.viewport
    return TabSettings(
        width=width,
        height=height,
        locale=configured.locale,
        timezone=configured.timezone,
        frames=FRAMES,
        ignored=configuration.ignore.regions,
    )


def settings_of(manifest: Manifest) -> TabSettings:
    """What the page saw when a recording was made."""
    width, height = manifest.viewport
    return TabSettings(
        width=width,
        height=height,
        start=manifest.start_time,
        user_agent=manifest.user_agent,
        locale=str(manifest.options.get("locale", "")),
        timezone=str(manifest.options.get("timezone", "")),
        ignored=tuple(manifest.options.get("ignored") or ()),
        scripts=tuple(map(str, manifest.options.get("scripts") or ())),
    )


def state_of(manifest: Manifest) -> StorageState:
    """Who was logged in when a recording was made."""
    storage: dict[str, dict[str, str]] = manifest.options.get("local_storage") or {}
    return StorageState(
        cookies=tuple(manifest.options.get("cookies") or ()),
        origins=tuple(
            {"origin": origin, "localStorage": [{"name": key, "value": value} for key, value in entries.items()]}
            for origin, entries in storage.items()
        ),
    )


def manifest(
    url: str,
    chromium: Chromium,
    *,
    seed: int,
    view: TabSettings,
    state: StorageState,
    origins: Iterable[str] = (),
    redacted: bool = False,
    **more: object,
) -> Manifest:
    """Where and how a recording is about to be made. `origins`: what may be acted on beside the URL's own."""
    return Manifest(
        url=url,
        seed=seed,
        viewport=(view.width, view.height),
        user_agent=chromium.user_agent,
        browser=chromium.version,
        start_time=view.start,
        redacted=redacted,
        origins=tuple(dict.fromkeys(origins)),
        options={
            **more,
            "locale": view.locale,
            "timezone": view.timezone,
            "ignored": view.ignored,
            "cookies": state.cookies,
            "local_storage": state.local_storage,
        },
    )


def app_of(
    manifest: Manifest,
    chromium: Chromium,
    *,
    view: TabSettings | None = None,
    state: StorageState | None = None,
    recorder: Hears | None = None,
    responder: Responder | None = None,
    on_limit: Callable[[str], None] = lambda words: None,
    on_dialog: OnDialog = accept,
    on_step: Callable[[Event, Effect], None] = lambda event, effect: None,
    block_third_party: bool = False,
    rewriter: ScriptRewriter | None = None,
) -> ChromiumApp:
    """The application as a recording has it; `view` and `state` in place of those that the recording has. With a
    `rewriter` it is waited for longer: scripts that tell all they do are slow."""
    state = state or state_of(manifest)

    def limit(words: str) -> None:
        if recorder is not None:
            recorder.limit(words)
        on_limit(words)

    listeners = AppListeners(limit=limit, dialog=on_dialog, stepped=on_step)
    if recorder is not None:
        listeners = msgspec.structs.replace(listeners, exchange=recorder.exchanged, traffic=recorder.traffic)
    return ChromiumApp(
        chromium,
        manifest.url,
        settings=view or settings_of(manifest),
        limits=Limits(step=_REWRITTEN) if rewriter is not None else None,
        initial=InitialState(seed=manifest.seed, cookies=state.cookies, local_storage=state.local_storage),
        network=NetworkRules(
            allowed_origins=manifest.origins,
            block_third_party=block_third_party,
            responder=responder,
            fences=pauses if manifest.options.get("pauses") else None,
            rewriter=rewriter,
        ),
        listeners=listeners,
    )
