"""The workers of a tab: which session each speaks by, and whether they still react."""

from __future__ import annotations

import asyncio

from jostle.browser import agent
from jostle.browser.connection import Connection, Params, Session


class TabWorkers:
    """Those that run now."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._owners: dict[str, Session] = {}
        """Sessions of workers, and the session of the frame that each belongs to: its requests stop at that one."""
        self._dedicated: dict[str, asyncio.Future[Params] | None] = {}
        """Sessions of dedicated workers, and what they were asked last to see whether they react."""

    def __contains__(self, session: str) -> bool:
        return session in self._owners

    def add(self, worker: Session, owner: Session) -> None:
        self._owners[worker.id] = owner
        worker.post("Network.enable")

    def control(self, worker: Session, turn: Params) -> None:
        """Put the agent into a dedicated worker, before its own script."""
        self._dedicated[worker.id] = None
        worker.post("Runtime.addBinding", {"name": agent.BINDING})
        worker.post("Runtime.evaluate", {"expression": agent.worker_source(turn), "silent": True})

    def remove(self, session: str) -> None:
        self._owners.pop(session, None)
        self._dedicated.pop(session, None)

    def stopping(self, session: Session) -> Session:
        """The session in which a request is stopped that this one tells of."""
        return self._owners.get(session.id, session)

    def imports(self, session: str, kind: str) -> bool:
        """Whether a request of this type must come at once: what a worker imports, or it does not start."""
        return session in self._owners and (session not in self._dedicated or kind not in ("Fetch", "XHR"))

    async def hear(self, timeout: float) -> None:
        """What dedicated workers asked for has been told. One that does not react is not waited for again."""
        asked = []
        for session, question in self._dedicated.items():
            if question is None or question.done():
                question = Session(self._connection, session).post("Runtime.evaluate", {"expression": "0"})
                question.add_done_callback(lambda done: done.cancelled() or done.exception())
                self._dedicated[session] = question
                asked.append(question)
        if asked:
            await asyncio.wait(asked, timeout=timeout)
