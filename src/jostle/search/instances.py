"""The application as often as it runs. Browsers that reset it work with an instance each, at one and the same address.

A browser of another instance than the first is started with a rule that leads requests for the configured server to the
port of its instance. So pages, recordings and findings are the same wherever they were made.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator

from jostle.browser.reached import reached_port
from jostle.config.application import CALL, Application
from jostle.config.placeholders import INSTANCE, PORT, names, same_server
from jostle.config.settings import Configuration, is_web_address
from jostle.errors import ApplicationProblem
from jostle.search.browsers import Browsers
from jostle.search.last_action import LastAction

_LOOK_SECONDS = 0.05
"""How often it is looked whether an instance is up."""


class Instance:
    """One running application."""

    def __init__(self, application: Application, url: str) -> None:
        self.application = application
        self.last = LastAction(url)
        """Shared by all who work on it."""
        self.arguments = application.browser_arguments(url) if application.instance else ()
        """Of the browsers that work with it; those of the first instance are started for it anyway."""
        self.users = 0


class Instances:
    """Lends instances. There is one at first, which any number may use at the same time; `grow` adds others."""

    def __init__(self, application: Application, url: str) -> None:
        """`application` must be up."""
        self._application = application
        self._url = url
        self._running = [Instance(application, url)]
        self._known = 1

    def __len__(self) -> int:
        return len(self._running)

    @property
    def first(self) -> Instance:
        return self._running[0]

    @contextlib.contextmanager
    def lent(self) -> Iterator[Instance]:
        """The one that is used least: one that nobody uses, as long as no more are lent than there are."""
        instance = min(self._running, key=lambda each: each.users)
        instance.users += 1
        try:
            yield instance
        finally:
            instance.users -= 1

    async def grow(self, browsers: Browsers) -> None:
        """Start another one. Raises Problem when it does not come up, or browsers do not get to it."""
        application = self._application.another(self._known)
        self._known += 1
        instance = Instance(application, self._url)
        try:
            application.begin()
            while not await asyncio.to_thread(application.is_ready):  # noqa: ASYNC110  (it tells nobody when it is)
                await asyncio.sleep(_LOOK_SECONDS)
            async with browsers.lent(*instance.arguments) as chromium:
                port = await reached_port(chromium, self._url)
            if port != application.port:
                where = f"at port {port}" if port else "nowhere"
                raise ApplicationProblem(
                    f"It listens at port {application.port}, but a browser that should get there ends up {where}.",
                    advice="A proxy, or `--host-resolver-rules` in `browser.args`, may be in the way.",
                )
        except Exception:
            await asyncio.to_thread(application.stop)
            raise
        self._running.append(instance)

    def drop(self, instance: Instance) -> None:
        """One that is dead is not lent any more, as long as there are others."""
        if instance in self._running and len(self._running) > 1:
            self._running.remove(instance)


def only_one(configuration: Configuration, url: str, *, connect: bool) -> str:
    """Why there can be one instance only, and what to do about it; empty when there can be several."""
    app = configuration.app
    start = app.start if isinstance(app.start, str) or app.start is None else " ".join(app.start)
    if start is None or not names(start, PORT):
        return (
            "For several, let `app.start` take its port from `{port}`: each browser then gets an instance of its own."
        )
    assert configuration.url is not None  # {port} is its port
    if connect:
        return "A browser that is running already cannot be led to another instance."
    if not same_server(url, configuration.url):
        return f"`app.start` starts the application at {configuration.url}, and {url} is tested."
    reset = app.reset or ""
    call = CALL.fullmatch(reset)
    calls_it = call is not None and is_web_address(call[2]) and same_server(call[2], configuration.url)
    if not calls_it and not names(reset, PORT, INSTANCE):
        return "For several, let `app.reset` concern a single instance, named by `{port}` or `{instance}`."
    return ""
