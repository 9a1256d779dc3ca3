"""Where functions are written, with and without source maps."""

from __future__ import annotations

import base64
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jostle.browser.settings import Profiling, TabSettings
from jostle.browser.source_map import SourceMap
from jostle.browser.sources import SourceExcerpt, places
from tests.browser.live import Browser, Site
from tests.browser.story import Telling

DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def vlq(number: int) -> str:
    """The reference: a number as the format's authors write it."""
    rest = (-number << 1) | 1 if number < 0 else number << 1
    text = ""
    while True:
        digit, rest = rest & 31, rest >> 5
        text += DIGITS[digit | (32 if rest else 0)]
        if not rest:
            return text


Segment = tuple[int, int, int]
LINES = st.lists(
    st.lists(st.tuples(st.integers(0, 500), st.integers(0, 3), st.integers(0, 5000)), max_size=6), max_size=6
)


@given(LINES)
def test_places_are_found_as_they_were_written(lines: list[list[Segment]]) -> None:
    lines = [sorted({column: (column, source, at) for column, source, at in line}.values()) for line in lines]
    source = at = 0
    written = []
    for line in lines:
        column, parts = 0, []
        for segment in line:
            numbers = (segment[0] - column, segment[1] - source, segment[2] - at, 0)
            parts.append("".join(map(vlq, numbers)))
            column, source, at = segment
        written.append(",".join(parts))
    made = SourceMap({"version": 3, "sources": ["a", "b", "c", "d"], "mappings": ";".join(written)})
    for number, line in enumerate(lines):
        for column, file, there in line:
            assert made.original(number, column) == ("abcd"[file], there)
        if line:
            assert made.original(number, line[-1][0] + 7) == ("abcd"[line[-1][1]], line[-1][2])
            assert line[0][0] == 0 or made.original(number, line[0][0] - 1) is None
    assert made.original(len(lines) + 1, 0) is None


@pytest.mark.parametrize(
    "document",
    [
        None,
        [],
        {},
        {"version": 2},
        {"version": 3, "sections": []},
        {"version": 3, "mappings": "A?"},
        {"version": 3, "mappings": "g"},
    ],
)
def test_what_is_no_source_map(document: object) -> None:
    with pytest.raises(ValueError, match="source map"):
        SourceMap(document)


MADE = "function more(){let n=0;for(let i=0;i<9;i++)n+=i;return n}"
MAP = {
    "version": 3,
    "sources": ["src/more.ts"],
    "sourcesContent": ["// sums\n\nexport function more() {\n  return 36;\n}\n"],
    "mappings": "AAEO",
}
INLINE = """<!doctype html><title>Places</title>
<button>Go</button>
<script>
function first() { return 1; }

function second() {
  return first() + more() + plain();
}
</script>
<script src=/made.js></script><script src=/plain.js></script>
<script>document.querySelector("button").onclick = second;</script>"""


def test_places_of_functions(browser: Browser, site: Site) -> None:
    coded = base64.b64encode(json.dumps(MAP).encode()).decode()
    site.serve(
        {
            "/": INLINE,
            "/made.js": f"{MADE}\n//# sourceMappingURL=data:application/json;base64,{coded}\n",
            "/plain.js": "\n\nfunction plain() {\n  return 2;\n}\n",
        }
    )
    page = Telling(browser, f"{site.url}/", settings=TabSettings(profiling=Profiling.COST))
    page.load()
    page.app.ran.clear()
    page.act("click button")
    ran = {function.name: function for function in page.app.ran}
    assert {"first", "second", "more", "plain"} <= set(ran)
    found = page.run(places(page.app.tabs[0], ran.values(), page.app.origins))
    told = {name: (found[function].file, found[function].line) for name, function in ran.items() if name}
    assert told["first"] == ("/", 4)
    assert told["second"] == ("/", 6)
    assert told["plain"] == ("/plain.js", 3)
    assert found[ran["more"]] == SourceExcerpt(
        file="src/more.ts", line=3, excerpt=("export function more() {", "  return 36;", "}")
    )


EVALUATED = """<!doctype html><button onclick="work()">Work</button><script>
eval("function work() { for (let i = 0; i < 100; i++) inner(i); }\\n\\nvar inner = (i) => i;" +
  "\\n//# sourceURL=$:/app/work.js");
</script>"""


def test_evaluated_code_counts_whatever_it_is_called(browser: Browser, site: Site) -> None:
    page = Telling(browser, site.serve(EVALUATED), settings=TabSettings(profiling=Profiling.COST))
    page.load()
    page.app.ran.clear()
    effect = page.act("click button")
    ran = {function.name: function for function in page.app.ran}
    assert effect.cost is not None and effect.cost > 99
    found = page.run(places(page.app.tabs[0], ran.values(), page.app.origins))
    assert (found[ran["inner"]].file, found[ran["inner"]].line) == ("$:/app/work.js", 3)
