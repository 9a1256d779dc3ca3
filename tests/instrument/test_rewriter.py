"""The engine: places, tags, the cache, and scripts that are large, deep or broken."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jostle.instrument import Rewriter, memory
from jostle.instrument.edits import Edits, Lines, Positions
from jostle.instrument.program import Program
from jostle.instrument.syntax import NotParsed, Syntax
from tests.instrument.fuzzed import programs

URL = "https://example.org/a.js"


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ("a.b(", "it cannot be parsed at line 1, column 1: 'a.b('"),
        ("ok();\nlet = = 3;\nx", "it cannot be parsed at line 2, column 7: '= 3;'"),
        ("<div>not a script</div><p>", "it cannot be parsed at line 1"),
        ("{% if x %} template {% endif %}", "it cannot be parsed at line 1"),
    ],
)
def test_a_script_that_cannot_be_parsed_comes_back_with_the_reason(source: str, problem: str) -> None:
    made = Rewriter(memory).script(source, URL)
    assert made.code == source
    assert made.problem.startswith(problem)
    assert made.tag == ""


def test_a_mistake_in_a_probe_set_is_said() -> None:
    class Broken:
        name, version, runtime = "broken", "1", ""

        def insert(self, program: Program, edits: Edits) -> None:
            raise LookupError("here")

    made = Rewriter(Broken()).script("a", URL)
    assert (made.code, made.problem) == ("a", "it could not be rewritten: LookupError('here')")


def test_another_probe_set_has_its_own_edits() -> None:
    class Functions:
        name, version, runtime = "functions", "1", ""

        def insert(self, program: Program, edits: Edits) -> None:
            for scope in program.scopes.all[1:]:
                edits.before(program.syntax.starts[program.syntax.last[scope.node]] + 1, f"/*{program.site(0)[9:]}*/")

    made = Rewriter(Functions()).script("function f() { g() }", URL)
    assert made.code == 'function f() {/*1:1"*/ g() }'


@pytest.mark.parametrize(
    "source", ["", " ", "\n", "// x", "/* x */\n", "'use strict'", "#!/usr/bin/env node", "\ufeffa.b"]
)
def test_hardly_anything_is_a_script_too(source: str) -> None:
    made = Rewriter(memory).script(source, URL)
    assert made.problem == ""
    assert made.code.count("\n") == source.count("\n")


def test_comments_stay_where_they_are() -> None:
    source = "a.b // c.d\n/* e.f */ g.h\n//# sourceMappingURL=a.js.map\n//# sourceURL=x.js"
    made = Rewriter(memory).script(source, URL).code
    assert made.endswith("\n//# sourceMappingURL=a.js.map\n//# sourceURL=x.js")
    assert "// c.d\n/* e.f */ " in made


def test_a_tag_leads_to_the_address() -> None:
    rewriter = Rewriter(memory)
    made = rewriter.script("a.b", URL)
    assert rewriter.url_of(made.tag) == URL
    assert f'"{made.tag}:1:3"' in made.code
    assert rewriter.script("a.c", URL).tag != made.tag
    assert Rewriter(memory).script("a.b", "other").tag == made.tag
    assert rewriter.url_of("?") == ""


def _marked(source: str) -> list[tuple[int, int, str]]:
    """Words that occur once, with their places."""
    words = re.findall(r"[a-z]+", source)
    return [
        (line, match.start() + 1, match[0])
        for line, text in enumerate(source.split("\n"), 1)
        for match in re.finditer(r"[a-z]+", text)
        if words.count(match[0]) == 1
    ]


def test_places_lead_back() -> None:
    source = "alpha.beta(gamma.delta)\nepsilon = zeta.eta[theta].iota; kappa(lambda.mu, '日本', nu.xi)"
    rewriter = Rewriter(memory)
    lines = rewriter.script(source, URL).code.split("\n")
    for line, column, word in _marked(source):
        # The word itself, not the name of it in an inserted text.
        inside = [m.start() + 1 for m in re.finditer(rf'(?<!"){word}\b(?!")', lines[line - 1])]
        assert (line, column) in [rewriter.original(URL, line, each) for each in inside]
    assert rewriter.original(URL, 1, 1) == (1, 1)
    assert rewriter.original("unknown", 3, 4) == (3, 4)


def test_a_call_is_at_its_name() -> None:
    rewriter = Rewriter(memory)
    code = rewriter.script("x; call (1); a.b(2); (c)(3)", URL).code
    assert rewriter.original(URL, 1, code.index("(1)") + 1) == (1, 4)
    assert rewriter.original(URL, 1, code.index("b(2)") + 1) == (1, 16)
    assert rewriter.original(URL, 1, code.index("(3)") + 1) == (1, 25)


@given(st.text("ab\n😀", max_size=40), st.lists(st.tuples(st.integers(0, 40), st.text("xy😀", min_size=1, max_size=5))))
def test_every_character_leads_back(source: str, insertions: list[tuple[int, str]]) -> None:
    edits = Edits()
    for offset, text in insertions:
        edits.before(min(offset, len(source)), text)
    made, inserted = edits.apply(source)
    lines, made_lines = Lines(source), Lines(made)
    positions = Positions.of(inserted, lines)
    assert Positions.unpacked(positions.packed(), lines).inserted() == positions.inserted()
    shift = 0
    joined = dict.fromkeys(sorted({min(offset, len(source)) for offset, _ in insertions}))
    texts = {offset: "".join(text for at, text in insertions if min(at, len(source)) == offset) for offset in joined}
    for offset in range(len(source)):
        before = texts.get(offset, "")
        if before and offset and (source[offset - 1].isalnum() or source[offset - 1] > "\x7f"):
            shift += len("/**/")
        shift += len(before)
        assert made[offset + shift] == source[offset]
        assert positions.original(*made_lines.at(offset + shift)) == lines.at(offset)


@given(programs())
def test_lines_are_kept(source: str) -> None:
    made = Rewriter(memory).script(source, URL)
    assert made.problem == ""
    assert made.code.count("\n") == source.count("\n")


@pytest.mark.parametrize(
    ("source", "printed", "message"),
    [
        ("o.nope(1)", "$jostle.c(...).nope is not a function", "o.nope is not a function"),
        ("o.a['b'][c](1)", "$jostle.o(...)[$jostle.p(...)] is not a function", "o.a.b[c] is not a function"),
        ("new o.K", "$jostle.r(...).K is not a constructor", "o.K is not a constructor"),
        ("f().g()", "TypeError: $jostle.c(...).g is not a function", "TypeError: f(...).g is not a function"),
        ("let {q} = o.z", "Cannot destructure property 'q' of '$jostle.t(...)' as it is undefined.",
         "Cannot destructure property 'q' of 'o.z' as it is undefined."),
        ("x", "x is not defined", "x is not defined"),
    ],
)  # fmt: skip
def test_messages_are_in_the_words_of_the_original(source: str, printed: str, message: str) -> None:
    rewriter = Rewriter(memory)
    code = rewriter.script(source, URL).code
    places = (r"\.(nope|K|g)\b", r"\]\((?=1)", r"\{q\}", r"x")
    found = next(found for place in places if (found := re.search(place, code)))
    column = (code.index("new") if "new" in code else found.end() - 1) + 1
    assert rewriter.message(printed, URL, 1, column) == message


def test_rewritten_scripts_are_kept_on_disk(tmp_path: Path) -> None:
    made = Rewriter(memory, tmp_path).script("a.b", URL)
    (file,) = (each for each in tmp_path.rglob("*") if each.is_file())
    calls = []

    class Counting:
        name, version, runtime = memory.name, memory.version, memory.runtime

        def insert(self, program: Program, edits: Edits) -> None:
            calls.append(program)
            memory.insert(program, edits)

    again = Rewriter(Counting(), tmp_path)
    assert again.script("a.b", "other") == made
    assert again.url_of(made.tag) == "other"
    assert again.original("other", 1, len(made.code)) == (1, 3)
    assert calls == []

    file.write_bytes(file.read_bytes()[:-9])
    assert Rewriter(Counting(), tmp_path).script("a.b", URL) == made
    file.write_bytes(b"")
    assert Rewriter(Counting(), tmp_path).script("a.b", URL) == made
    assert len(calls) == 2
    assert Rewriter(memory, tmp_path).script("a.b", URL, module=True).tag != made.tag


def test_what_cannot_be_parsed_is_kept_too(tmp_path: Path) -> None:
    first = Rewriter(memory, tmp_path).script("a b", URL)
    assert first.problem
    assert Rewriter(memory, tmp_path).script("a b", URL) == first


def test_a_cache_that_cannot_be_written_is_none(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert Rewriter(memory, tmp_path / "file" / "inside").script("a.b", URL).problem == ""


def test_lone_surrogates_are_no_obstacle(tmp_path: Path) -> None:
    assert "\ud800" in Rewriter(memory, tmp_path).script("a.b = '\ud800'", URL).code


@pytest.mark.parametrize(
    "source",
    [
        "a" + ".b" * 5000,
        "a" + "?.b()" * 3000,
        "(" * 2000 + "a.b" + ")" * 2000,
        "[" * 2000 + "]" * 2000,
        "x => " * 1000 + "a.b",
        "a.b" + " + a.b" * 5000,
        "if (a.b) {" * 500 + "}" * 500,
        "a.b = " * 1000 + "1",
    ],
    ids=lambda source: source[:6],
)
def test_deep_scripts_are_rewritten(source: str) -> None:
    made = Rewriter(memory).script(source, URL)
    assert made.problem == ""
    assert "$jostle" in made.code or "a" not in source


@pytest.mark.long
def test_a_large_script_is_rewritten() -> None:
    part = "function f%d(a,b){var c=a.d[b.e]||{};return c.g=a,c.h(b,function(){return c=a.i++})}"
    source = "(function(){" + ";".join(part % number for number in range(25_000)) + "})()"
    assert len(source) > 2_000_000
    started = time.monotonic()
    made = Rewriter(memory).script(source, URL)
    assert made.problem == ""
    assert time.monotonic() - started < 100


def test_offsets_are_those_of_the_source() -> None:
    source = "été.naïve; /* 日本 */ x\u00a0.y; '😀'; z.w"
    syntax = Syntax(source)
    texts = [syntax.text(node) for node in range(len(syntax.kinds))]
    assert [text for text in texts if text in ("été", "naïve", "y", "w")] == ["été", "naïve", "y", "w"]
    with pytest.raises(NotParsed) as error:
        Syntax("ok; été = = 3")
    assert error.value.offset == 10
