"""What is kept of requests and their answers."""

from __future__ import annotations

from typing import Any, cast

from jostle.browser.gate import Answer, Asked, Reply
from jostle.recording.file import Manifest
from jostle.recording.recorder import Recorder

URL = "http://app.test/"


def bodies(*replies: Reply) -> list[bytes]:
    """Of what is recorded when one request is answered with these, one after the other."""
    recorder = Recorder(Manifest(url=URL))
    asked = Asked(method="GET", url=URL)
    answer = Answer(asked=asked, first=asked, session=cast(Any, None), request="1")
    for reply in replies:
        answer.reply = reply
        recorder.exchanged(answer)
    recording = recorder.recording()
    return [recording.body_of(each) for each in recording.exchanges]


def test_another_answer_takes_the_place_of_the_one_before() -> None:
    assert bodies(Reply(body=b"one"), Reply(body=b"two")) == [b"two"]


def test_a_redirect_to_the_same_address_is_kept_beside_what_comes_of_it() -> None:
    redirect = Reply(status=302, headers=(("Location", URL), ("Set-Cookie", "seen=1")), body=b"go on")
    assert bodies(redirect, Reply(body=b"one"), Reply(body=b"two")) == [b"go on", b"two"]
