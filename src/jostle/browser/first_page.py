"""The first page of a run: it is asked for, and must be something that the browser shows."""

from __future__ import annotations

import re
import time

from jostle.browser.address import unreachable
from jostle.browser.connection import ProtocolError
from jostle.browser.connection import answer as answer_to
from jostle.browser.http import Response
from jostle.browser.stage import Stage
from jostle.errors import ApplicationProblem

_DOWNLOADED = re.compile(r"application/(octet-stream|zip|gzip|x-|vnd\.)", re.IGNORECASE)
"""What the browser does not show."""


async def open_first(stage: Stage, url: str, seconds: float) -> None:
    """Go to the address in the first tab; the answer is then at the gate. Raises ApplicationProblem if none comes."""
    tab = stage.tabs[0]
    tab.asked_at = time.monotonic()
    navigation = tab.session.post("Page.navigate", {"url": url})

    def arrived() -> bool:
        document = any(answer.ready and answer.main for answer in stage.gate.requests.all)
        return document or navigation.done() or tab.main.document > 1

    try:
        await stage.until(arrived, seconds, "the first answer")
    except TimeoutError:
        raise ApplicationProblem(
            f"{url} did not answer within {seconds:g} s.", advice="Is the application running?"
        ) from None
    first = next((answer for answer in stage.gate.requests.all if answer.ready and answer.main), None)
    if first is not None and first.response is not None and first.response.error:
        await stage.gate.release(first)  # Chromium's own words say more
    elif not navigation.done():
        if first is not None and first.response is not None:
            _check_page(url, first.response)
        return
    try:
        result = await answer_to(navigation, "Page.navigate", 5)
    except ProtocolError:
        raise unreachable(url, "net::ERR_INVALID_URL") from None
    if trouble := result.get("errorText"):
        raise unreachable(url, trouble)


def _check_page(url: str, response: Response) -> None:
    """The first answer must be something that the browser shows."""
    if response.status in (204, 205):
        why = f"it was answered with status {response.status}, which means that there is nothing to show"
    elif response.header("content-disposition").lower().startswith("attachment") or _DOWNLOADED.match(
        response.header("content-type")
    ):
        why = "it is a download"
    else:
        return
    raise ApplicationProblem(f"{url} is not a page: {why}.", advice="Give the address of a page of the application.")
