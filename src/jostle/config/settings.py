"""What can be configured. Every field is a key of the configuration file and described in docs/reference."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import msgspec

from jostle.addresses import split_url
from jostle.config.placeholders import PORT, names

Positive = Annotated[int, msgspec.Meta(ge=1)]
Text = Annotated[str, msgspec.Meta(min_length=1)]

_FUNCTION = re.compile(r"[\w.]+:[\w.]+")


class AppSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How to start, reset and stop the application under test. `{port}` and `{instance}` are replaced in all texts."""

    start: Text | Annotated[tuple[Text, ...], msgspec.Meta(min_length=1)] | None = None
    """A shell command, or a program with its arguments."""
    ready: Text | None = None
    """A URL that answers, or a text in the output, once the application is up. Default: the `url`."""
    timeout: Annotated[float, msgspec.Meta(gt=0)] = 30.0
    """Seconds that starting, and resetting, may take."""
    reset: Text | None = None
    """A shell command, or a URL to call (`POST http://...`), that brings the initial state back."""
    stop: Text | None = None
    """A shell command that stops it; the process group is ended in any case."""


class Login(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How to get in: exactly one of the three."""

    trace: Text | None = None
    """A recorded `.jostle` file to replay."""
    storage_state: Text | None = None
    """A storage state file of Playwright."""
    function: Text | None = None
    """A Python function, `module:function`."""

    def __post_init__(self) -> None:
        given = [name for name in self.__struct_fields__ if getattr(self, name) is not None]
        if len(given) != 1:
            raise ValueError(
                f"give exactly one of `trace`, `storage_state` and `function`, not {' and '.join(given) or 'none'}"
            )
        if self.function and not _FUNCTION.fullmatch(self.function):
            raise ValueError(f"`function` must read `module:function`, not `{self.function}`")


class Ignore(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What takes no part in comparisons."""

    regions: tuple[Text, ...] = ()
    """CSS selectors of parts of the page."""
    parameters: tuple[Text, ...] = ()
    """Names of query parameters."""


class Redact(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What else is a secret, besides what is known to be one by its name or look."""

    names: tuple[Text, ...] = ()
    """Names of fields, headers and storage entries."""
    patterns: tuple[Text, ...] = ()
    """Regular expressions, such as `/reset/([^/?]+)`: their first group, or all that they match, is a secret."""

    def __post_init__(self) -> None:
        for pattern in self.patterns:
            try:
                re.compile(pattern)
            except re.error as error:
                raise ValueError(f"`patterns`: `{pattern}` is not a regular expression: {error}") from None


class Browser(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The browser and what the page sees of it."""

    path: Text | None = None
    args: tuple[Text, ...] = ()
    viewport: tuple[Positive, Positive] = (1280, 720)
    locale: Text = "en-US"
    timezone: Text = "UTC"
    memory: Annotated[int, msgspec.Meta(ge=100)] = 600
    """Megabytes that a browser may take before it is started anew for the next run."""


class Invariant(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something that must hold after every step: a JavaScript expression, or a Python function."""

    name: Text
    javascript: Text | None = None
    python: Text | None = None

    def __post_init__(self) -> None:
        if (self.javascript is None) == (self.python is None):
            raise ValueError("give either `javascript` or `python`")
        if self.python and not _FUNCTION.fullmatch(self.python):
            raise ValueError(f"`python` must read `module:function`, not `{self.python}`")


class Configuration(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything in the configuration file."""

    url: Text | None = None
    server: Text = "live"
    """Who responds: the application itself (`live`, `live:api.ail`), or a mock (`mock:api.ail`)."""
    app: AppSettings = AppSettings()
    login: Login | None = None
    allowed_origins: tuple[Text, ...] = ()
    """Origins besides that of `url` that may be acted on and navigated to."""
    ignore: Ignore = Ignore()
    block_third_party: bool = False
    redact: Redact = Redact()
    browser: Browser = Browser()
    state: Text = "skeleton"
    """The state abstraction: `skeleton`, `url-title`, or a Python function `module:function`."""
    invariants: tuple[Invariant, ...] = ()
    avoid: tuple[Text, ...] = ()
    """What an exploration leaves alone: regular expressions, searched in the words of an event and in its address."""
    allow: tuple[Text, ...] = ()
    """What it does although it is dangerous: regular expressions, searched in the same."""

    def __post_init__(self) -> None:
        if self.url is not None and not is_web_address(self.url):
            raise ValueError(f"`url` must be an http or https address, not `{self.url}`")
        for key in ("start", "ready", "reset", "stop"):
            text = getattr(self.app, key) or ""
            if self.url is None and names(text if isinstance(text, str) else " ".join(text), PORT):
                raise ValueError(f"`app.{key}` has `{{port}}`, the port of `url`: give `url` as well")
        for origin in self.allowed_origins:
            if not is_web_address(origin) or split_url(origin).path.strip("/"):
                raise ValueError(f"`allowed_origins` must read like `https://example.org:8443`, not `{origin}`")
        if self.state not in ("skeleton", "url-title") and not _FUNCTION.fullmatch(self.state):
            raise ValueError(f"`state` must be `skeleton`, `url-title` or `module:function`, not `{self.state}`")


class Loaded(msgspec.Struct, frozen=True):
    """A configuration with where it was found."""

    configuration: Configuration
    file: Path | None
    """None when there is no configuration file."""

    @property
    def directory(self) -> Path:
        """What paths in the configuration are relative to, and where its commands run."""
        return self.file.parent if self.file else Path.cwd()

    def path(self, written: str) -> Path:
        """A path as written in the configuration, made absolute."""
        return self.directory / Path(written).expanduser()

    @property
    def browser_path(self) -> str | None:
        """The configured browser: a path made absolute, or the name of a program."""
        written = self.configuration.browser.path
        return str(self.path(written)) if written and "/" in written else written


def is_web_address(text: str) -> bool:
    parts = split_url(text)
    try:
        return parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        return False
