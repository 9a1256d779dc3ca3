"""What the browser told us while one event ran: collected by the tabs, made into an Effect by the application."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jostle.addresses import split_url
from jostle.browser.agent import NAME
from jostle.browser.connection import Params
from jostle.browser.fence import number_of
from jostle.browser.http import UNKNOWN_TO_MOCK
from jostle.browser.pending import PendingResponse
from jostle.browser.rewriting import Rewriting
from jostle.events import Answered, Dialog, Milestone, PageError, Request

_LONGEST = 10_000
"""Characters of a text that a page supplies: beyond that nobody reads it, and expressions of ours may take for ever."""
_LONGEST_PLACE = 500
_MOST_ERRORS = 500
_MOST_ARGUMENTS = 20


class Journal:
    """The notes of the running event; `take` hands them over and begins anew."""

    def __init__(self) -> None:
        self.current = ""
        """Key of the running event: whatever is created now was created by it."""
        self.errors: list[PageError] = []
        self.dialogs: list[Dialog] = []
        self.downloads: list[str] = []
        self.lifecycle: list[Milestone] = []
        self.requests: list[Request] = []
        self.answers: list[Answered] = []
        self.limits: list[str] = []
        self.on_limit: Callable[[str], None] = lambda words: None
        self.rewriting: Rewriting | None = None
        """Knows where the places that the browser tells are in the original code."""

    def limit(self, words: str) -> None:
        words = words[:_LONGEST]
        if words not in self.limits:
            self.limits.append(words)
            self.on_limit(words)

    def delivered(self, pending: PendingResponse) -> None:
        request, response = pending.request, pending.response
        if response is not None and not number_of(request.url):
            status = 0 if response.error else response.status
            took = round(pending.took, 1)
            unknown = bool(response.header(UNKNOWN_TO_MOCK.lower()))
            if unknown:
                path = split_url(request.url).path or "/"
                self.limit(f"the mock knows nothing of {request.method} {path}: it is neither recorded nor described")
            self.answers.append(
                Answered(request.method, request.url, status, request.resource, response.error, took, unknown)
            )

    def exception(self, details: Params) -> None:
        exception = details.get("exception", {})
        text = str(details.get("text", ""))
        if self._overflows():
            return
        description = str(exception.get("description") or exception.get("value") or text)[:_LONGEST]
        frames = details.get("stackTrace", {}).get("callFrames", [])
        self.errors.append(
            PageError(
                kind="rejection" if "in promise" in text else "exception",
                message=self._message(description.split("\n    at ", 1)[0], frames[0] if frames else details),
                source=self._place(frames[0] if frames else details),
                stack=self._stack(frames),
            )
        )

    def console(self, params: Params) -> None:
        if params["type"] not in ("error", "assert"):
            return
        if self._overflows():
            return
        words = [self._shown(argument) for argument in params.get("args", ())[:_MOST_ARGUMENTS]]
        frames = params.get("stackTrace", {}).get("callFrames", [])
        self.errors.append(
            PageError(
                kind="console",
                message=" ".join(words)[:2000],
                source=self._place(frames[0]) if frames else "",
                stack=self._stack(frames),
            )
        )

    def _overflows(self) -> bool:
        """Whether the page reports so many errors that further ones say nothing new."""
        if len(self.errors) < _MOST_ERRORS:
            return False
        self.limit(f"the page reported more than {_MOST_ERRORS} errors at once: the others are left out")
        return True

    def take(self) -> dict[str, tuple[Any, ...]]:
        taken: dict[str, tuple[Any, ...]] = {
            "errors": tuple(self.errors),
            "dialogs": tuple(self.dialogs),
            "downloads": tuple(self.downloads),
            "lifecycle": tuple(self.lifecycle),
            "requests": tuple(self.requests),
            "answers": tuple(self.answers),
            "limits": tuple(self.limits),
        }
        for notes in (
            self.errors,
            self.dialogs,
            self.downloads,
            self.lifecycle,
            self.requests,
            self.answers,
            self.limits,
        ):
            notes.clear()
        return taken

    def _message(self, text: str, thrown: Params) -> str:
        if self.rewriting is None:
            return text
        place = thrown.get("lineNumber", 0) + 1, thrown.get("columnNumber", 0) + 1
        return self.rewriting.message(text, str(thrown.get("url", "")), *place)

    def _place(self, frame: Params) -> str:
        url, line, column = str(frame.get("url", "")), frame.get("lineNumber", 0) + 1, frame.get("columnNumber", 0) + 1
        if not url:
            return ""
        if self.rewriting is not None:
            url, line, column = self.rewriting.original(url, line, column)
        return f"{(split_url(url).path or url)[:_LONGEST_PLACE]}:{line}:{column}"

    def _stack(self, frames: list[Params]) -> tuple[str, ...]:
        return tuple(
            f"{str(frame.get('functionName') or '(anonymous)')[:_LONGEST_PLACE]} ({self._place(frame)})"
            for frame in frames[:10]
            if frame.get("url") != NAME
        )

    def _shown(self, argument: Params) -> str:
        for name in ("value", "unserializableValue", "description"):
            if name in argument:
                text = str(argument[name])[:_LONGEST]
                return text if self.rewriting is None else self.rewriting.restored_stack(text)
        return str(argument.get("type", ""))
