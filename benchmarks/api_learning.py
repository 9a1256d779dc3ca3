"""How long it takes to learn an interface from 2,000 samples: `python -m benchmarks.api_learning`."""

from __future__ import annotations

import json
import random
import sys
import time
from typing import Any

from jostle.serverapi.learning import Learned, learn
from jostle.serverapi.matching import Matcher
from jostle.serverapi.sample import Sample
from jostle.serverapi.schemas import Schemas
from jostle.serverapi.traffic import api_request, api_response

SAMPLES = 2000
"""The original took 1.1 s in all for 1,846 samples of eight applications, on a machine of 2011."""
GOAL = 1.0
"""Seconds."""
BASE = "http://shop.test"
KINDS = 12
"""Kinds of thing in the shop; each has a handful of operations."""


def traffic(count: int, seed: int = 1) -> list[Sample]:
    """People in a shop: lists with pages and filters, things by number, forms, calls with an action, failures."""
    chance = random.Random(seed)
    makers = (one_thing, one_thing, page, page, search, created, called, failed)
    return [chance.choice(makers)(chance) for _ in range(count)]


def sample(method: str, path: str, value: Any, *, status: int = 200, sent: Any = None) -> Sample:
    body = b"" if sent is None else json.dumps(sent).encode()
    request = api_request(method, f"{BASE}/{path}", [("content-type", "application/json")], body)
    return Sample(request=request, response=api_response(status, "application/json", json.dumps(value).encode()))


def kind(chance: random.Random) -> int:
    return chance.randrange(KINDS)


def thing(chance: random.Random, number: int) -> dict[str, Any]:
    """A thing of a kind; some of its properties are there only sometimes."""
    made: dict[str, Any] = {
        "id": chance.randrange(10_000),
        "name": f"thing {chance.randrange(1000)}",
        "price": chance.choice((1, 2.5, 10)),
        "created": "2026-01-31T12:00:00Z",
        "state": chance.choice(("new", "used")),
        f"detail{number}": {"weight": chance.random(), "tags": ["a", "b"][: chance.randrange(3)]},
    }
    if chance.random() < 0.3:
        made["discount"] = chance.choice((None, 10))
    return made


def one_thing(chance: random.Random) -> Sample:
    number = kind(chance)
    return sample("GET", f"api/kind{chr(97 + number)}/{chance.randrange(10_000)}", thing(chance, number))


def page(chance: random.Random) -> Sample:
    number = kind(chance)
    query = [f"page={chance.randrange(1, 30)}"] if chance.random() < 0.7 else []
    if chance.random() < 0.4:
        query.append(f"sort={chance.choice(('name', 'price'))}")
    things = [thing(chance, number) for _ in range(chance.randrange(11))]
    asked = f"api/kind{chr(97 + number)}{'?' if query else ''}{'&'.join(query)}"
    return sample("GET", asked, {"items": things, "more": chance.random() < 0.5})


def search(chance: random.Random) -> Sample:
    hits = [{"id": chance.randrange(1000), "title": "x"} for _ in range(chance.randrange(8))]
    return sample("GET", f"api/search?q=word{chance.randrange(500)}&limit={chance.choice((10, 20))}", {"hits": hits})


def created(chance: random.Random) -> Sample:
    number = kind(chance)
    made = thing(chance, number)
    return sample("POST", f"api/kind{chr(97 + number)}", made, status=201, sent={"name": made["name"]})


def called(chance: random.Random) -> Sample:
    action = chance.choice(("lock", "unlock", "touch"))
    return sample("POST", f"admin?action={action}&id={chance.randrange(1000)}", {"ok": True})


def failed(chance: random.Random) -> Sample:
    number = chr(97 + kind(chance))
    return sample("GET", f"api/kind{number}/{chance.randrange(10_000)}", {"error": "gone"}, status=404)


def verified(learned: Learned, samples: list[Sample]) -> bool:
    """Whether every sample keeps to what was learned."""
    matcher = Matcher(learned.description, Schemas(learned.schemas))
    for each in samples:
        operation = matcher.operation_for(each.request)
        if operation is None or matcher.violations(operation, each.response):
            return False
    return True


def main() -> None:
    samples = traffic(SAMPLES)
    times = []
    for _ in range(5):
        began = time.perf_counter()
        learned = learn(samples, BASE)
        times.append(time.perf_counter() - began)
    began = time.perf_counter()
    complete = verified(learned, samples)
    checking = time.perf_counter() - began
    faithful_began = time.perf_counter()
    faithful = learn(samples, BASE, repaired=False)
    faithful_time = time.perf_counter() - faithful_began
    half = learn(samples[: SAMPLES // 2], BASE)
    print(f"{SAMPLES:,} samples: {min(times):.2f} s at best of {len(times)}, {max(times):.2f} s at worst")
    print(f"operations: {len(learned.description.operations)}; of half the samples: {len(half.description.operations)}")
    print(f"as published, without repairs: {len(faithful.description.operations)} operations in {faithful_time:.2f} s")
    print(f"checking all samples against it: {checking:.2f} s, {'complete' if complete else 'NOT COMPLETE'}")
    ok = complete and min(times) < GOAL
    print(f"goal: under {GOAL:.0f} s: {'met' if ok else 'missed'}")
    sys.exit(not ok)


if __name__ == "__main__":
    main()
