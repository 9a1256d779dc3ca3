"""What documents and scripts become on their way to the page; recordings have them as they were."""

from __future__ import annotations

import msgspec

from jostle.browser import fence
from jostle.browser.http import Response
from jostle.browser.pending import PendingResponse
from jostle.browser.rewriting import Rewriting


class Editing:
    """Puts fences into documents, and probes into scripts."""

    def __init__(self, fences: fence.Fences | None = None, rewriting: Rewriting | None = None) -> None:
        self._fences = fences
        self.rewriting = rewriting

    def fence_at(self, url: str) -> Response | None:
        """The script at which the parser waits, if it is one of ours."""
        if self._fences is None or not fence.number_of(url):
            return None
        return Response(headers=(("Content-Type", "text/javascript"),), body=fence.SCRIPT)

    async def edit(self, pending: PendingResponse) -> None:
        """Make of what has arrived what the page gets, and hold it."""
        response = pending.response
        assert response is not None
        made = self._fenced(pending, response)
        if self.rewriting is None or fence.number_of(pending.request.url) or not pending.rewrite():
            pending.hold(made)
            return
        worker = bool(pending.worker) or pending.starts_worker
        try:
            made = await self.rewriting.edited(pending.request, made, worker=worker, importer=pending.importer)
        finally:
            pending.hold(made)

    def _fenced(self, pending: PendingResponse, response: Response) -> Response:
        whole = not response.error and not response.passed_through and "html" in response.header("content-type")
        if self._fences is None or pending.request.resource != "document" or not whole:
            return response
        url = pending.request.url
        html, headers = fence.with_fences(url, response.body, response.headers, self._fences(url, response.body))
        return msgspec.structs.replace(response, body=html, headers=headers)
