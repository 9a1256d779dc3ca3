"""What the scripts of a page compare with."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jostle.recording.exchange import Exchange
from jostle.recording.file import Manifest, Recording
from jostle.serverapi.mock.compared import compared, compared_in


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ('if (item.status === "done") f();', {"status": ("done",)}),
        ("'done' != this.item.status", {"status": ("done",)}),
        ('item["status"] == "done" || item.status == "open"', {"status": ("done", "open")}),
        ('a?.b?.kind !== "x"', {"kind": ("x",)}),
        ('switch (e.type) { case "one": case 2: break; default: }', {"type": ("one", 2)}),
        ('switch (type) { case "one": }', {"type": ("one",)}),
        ('["p", "q"].includes(user.role)', {"role": ("p", "q")}),
        ("stock < 5", {"stock": (5, 4, 6)}),
        ("item.share >= 0.5", {"share": (0.5, -0.5, 1.5)}),
        (r'x.text === "a\u0041\n\x42\u{43}"', {"text": ("aA\nBC",)}),
        ('// item.status === "done"', {}),
        ("const words = 'item.status === \\'done\\''", {}),
        ('["p"].push(user.role)', {}),
        ('x.text === ""', {}),
        (f'x.text === "{"long" * 50}"', {}),
        ("}{ not javascript", {}),
    ],
)
def test_comparisons(source: str, found: dict[str, tuple[object, ...]]) -> None:
    assert compared([source]) == found


def test_few_values_of_each_name() -> None:
    source = " ".join(f'x.kind === "{number}";' for number in range(100))
    assert len(compared([source])["kind"]) == 12


def test_scripts_of_documents() -> None:
    recording = Recording(Manifest(url="http://x/"))
    html = "<p>x.a === 'no'</p><script>x.b === 'yes'</script><button onclick=\"x.c === 'too'\">"
    for number, (kind, text) in enumerate((("text/html; charset=utf-8", html), ("application/json", '"x.d === 1"'))):
        recording.exchanges.append(
            Exchange(
                order=number,
                method="GET",
                url="http://x/",
                status=200,
                headers=(("Content-Type", kind),),
                body=recording.add_body(text.encode()),
            )
        )
    assert compared_in(recording) == {"b": ("yes",), "c": ("too",)}


@given(st.text())
def test_any_text(source: str) -> None:
    for values in compared([source]).values():
        assert values
