"""What a condition is: something that happens to a page and should make no difference to a test."""

from __future__ import annotations

import enum
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

import msgspec


class Pass(enum.StrEnum):
    """Conditions of one pass are injected together; those of different passes never are.

    What rebuilds the document fails early and would hide the subtler bugs that the others show.
    """

    KEPT = "kept"
    """The document lives on: hidden and shown, resized, offline for a moment."""
    REBUILT = "rebuilt"
    """The document is built anew from what was saved: reload, away and back."""
    ENVIRONMENT = "environment"
    """Something is different around the following action: slow answers, a slow machine. One condition at a time."""


class Neutral(enum.StrEnum):
    """On whose word a condition makes no difference."""

    COMMONLY = "commonly"
    """Everybody expects it to make no difference."""
    ASSUMED = "assumed"
    """It makes none under an assumption, which is told."""
    ASKED = "asked"
    """Only when the user asks for it by name."""


class NotRestored(Exception):
    """What a condition changed could not be put back: neither the application's fault nor the test's."""


class Ground(Protocol):
    """The page that a condition happens to, whichever Playwright API the test uses.

    Conditions are written once, as coroutines over these words. For a synchronous suite they are driven step by step
    without an event loop, so a condition awaits nothing but what stands here.
    """

    url: str
    """The page's address when the condition began."""
    page: Any
    """The test's own Playwright page, for conditions that users write."""

    def send(self, method: str, **parameters: Any) -> Awaitable[dict[str, Any]]:
        """A command of the DevTools Protocol to the page."""

    def browser(self, method: str, **parameters: Any) -> Awaitable[dict[str, Any]]:
        """The same to the whole browser."""

    def evaluate(self, expression: str, *, seconds: float = 10.0) -> Awaitable[Any]:
        """The value of a JavaScript expression in the page (promises are waited for)."""

    def until(self, expression: str, *, seconds: float = 5.0) -> Awaitable[bool]:
        """Waits until a JavaScript expression holds in the page; False when it did not in time."""

    def elsewhere(self, tab: str, expression: str, *, seconds: float = 5.0) -> Awaitable[Any]:
        """The value of a JavaScript expression in another tab, by the identity of its target."""

    def pause(self, seconds: float) -> Awaitable[None]:
        """Lets time go by."""

    def rest(self) -> Awaitable[None]:
        """Waits until the page is quiet, as after an action of the test."""


class Condition(msgspec.Struct, frozen=True, kw_only=True):
    """One kind of disturbance."""

    name: str
    """As on the command line: `hide`, `reload`, `latency` ..."""
    title: str
    """For people, as something that happens: "the tab is hidden and shown again"."""
    what: str
    """What is done, for `--jostle-conditions list`."""
    why: str
    """Why it should make no difference, and on what assumption."""
    in_pass: Pass
    neutral: Neutral
    inject: Callable[[Ground], Awaitable[Any]]
    """Does it, and returns in words how it could only be approximated, or "". For the environment: begins it; what is
    returned goes to `end`."""
    end: Callable[[Ground, Any], Awaitable[None]] | None = None
    """For the environment: ends it, when the page has come to rest after the following action."""
    restored: Callable[[Ground], Awaitable[str]] | None = None
    """Why the page is not as before in what the condition changed (viewport, visibility ...), or "". Not the
    application's fault, so no failure is told."""
    at_once: bool = False
    """When it is over, the page has heard of it: a frame is only waited for where the page has begun something."""
    matters: str = ""
    """A JavaScript expression: whether it can matter to the page as it is. Of all conditions at a point these are asked
    at once. Without it, always."""
    relevant: Callable[[Ground], Awaitable[bool]] | None = None
    """The same, for what an expression cannot say."""
    conflicts: frozenset[str] = frozenset()
    """Names of Playwright calls by which a test controls the same thing itself (`set_viewport_size`): then it is left
    out."""
    cost: str = ""
    """What it costs, in words: "17 ms"."""
