"""What is kept of requests and their answers."""

from __future__ import annotations

from typing import Any, cast

from jostle.browser.http import Response, SentRequest
from jostle.browser.pending import PendingResponse
from jostle.recording.file import Manifest
from jostle.recording.recorder import Recorder

URL = "http://app.test/"


def bodies(*replies: Response) -> list[bytes]:
    """Of what is recorded when one request is answered with these, one after the other."""
    recorder = Recorder(Manifest(url=URL))
    asked = SentRequest(method="GET", url=URL)
    answer = PendingResponse(request=asked, first=asked, session=cast(Any, None), network_id="1")
    for reply in replies:
        answer.response = reply
        recorder.exchanged(answer)
    recording = recorder.recording()
    return [recording.body_of(each) for each in recording.exchanges]


def test_another_answer_takes_the_place_of_the_one_before() -> None:
    assert bodies(Response(body=b"one"), Response(body=b"two")) == [b"two"]


def test_a_redirect_to_the_same_address_is_kept_beside_what_comes_of_it() -> None:
    redirect = Response(status=302, headers=(("Location", URL), ("Set-Cookie", "seen=1")), body=b"go on")
    assert bodies(redirect, Response(body=b"one"), Response(body=b"two")) == [b"go on", b"two"]
