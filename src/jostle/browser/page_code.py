"""Code that a page makes itself: the page stands still until it is rewritten. See rewriting.js."""

from __future__ import annotations

from jostle.browser import agent
from jostle.browser.connection import NoAnswer, Params, ProtocolError, Session, Troubled
from jostle.browser.frame_tree import FrameTree
from jostle.browser.rewriting import Rewriting


class PageCode:
    """The code of one tab that waits to be rewritten, by the session in which it waits."""

    def __init__(self, rewriting: Rewriting | None, frames: FrameTree, troubled: Troubled) -> None:
        self._rewriting = rewriting
        self._troubled = troubled
        self._frames = frames
        self._waiting: dict[str, Params] = {}

    def told(self, session: Session, note: Params, context: int) -> None:
        """A page says which code it is about to stop for."""
        self._waiting[session.id] = {**note, "context": context}

    def stopped(self, session: Session) -> None:
        """The page stands still until we let it go on: it has code to be rewritten, or a statement of its own."""
        session.connection.in_background(self._rewrite(session, self._waiting.pop(session.id, None)), self._troubled)

    async def _rewrite(self, session: Session, asked: Params | None) -> None:
        rewriting = self._rewriting
        try:
            if asked is not None and rewriting is not None:
                speaking = self._frames.speaking(session, {"executionContextId": asked["context"]})
                document = speaking[0].url if speaking else ""
                made = rewriting.code(str(asked["text"]), str(asked["kind"]), document)
                told = {"expression": agent.call("answer", made) + agent.OURS, "contextId": asked["context"]}
                await session.send("Runtime.evaluate", {**told, "silent": True}, timeout=5)
        except (ProtocolError, NoAnswer):
            pass  # then it runs as it is, and says so
        finally:
            session.post("Debugger.resume")
