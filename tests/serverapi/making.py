"""Samples for tests, in few words."""

from __future__ import annotations

import json
from typing import Any

from jostle.serverapi.ail_format import format_pattern
from jostle.serverapi.learning import Learned, learn
from jostle.serverapi.sample import Sample
from jostle.serverapi.traffic import api_request, api_response

BASE = "http://shop.test"
T1, T2, T3, T4 = ({f"k{number}": 1} for number in range(1, 5))
"""Values of four shapes."""


def sample(
    asked: str,
    value: Any = None,
    *,
    status: int = 200,
    form: str = "",
    sent: Any = None,
    media: str = "application/json",
    body: bytes | None = None,
) -> Sample:
    """`asked` is `GET path?query`; `value` the JSON of the response, None for an empty one; `form` and `sent` what the
    request carries."""
    method, _, path = asked.partition(" ")
    kind, carried = "", b""
    if form:
        kind, carried = "application/x-www-form-urlencoded", form.encode()
    if sent is not None:
        kind, carried = "application/json", json.dumps(sent).encode()
    data = body if body is not None else b"" if value is None else json.dumps(value).encode()
    return Sample(
        request=api_request(method, f"{BASE}/{path}", [("Content-Type", kind)], carried),
        response=api_response(status, media, data),
    )


def faithful(*samples: Sample) -> list[str]:
    """The patterns that the published algorithm learns."""
    return patterns(learn(samples, BASE, repaired=False))


def repaired(*samples: Sample) -> list[str]:
    """The patterns that are learned by default."""
    return patterns(learn(samples, BASE))


def patterns(learned: Learned) -> list[str]:
    return [format_pattern(each.pattern) for each in learned.description.operations]
