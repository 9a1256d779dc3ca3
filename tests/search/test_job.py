"""Jobs are plain data."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jostle.errors import UsageProblem
from jostle.exploring.search import ExploreOptions, StrategyName
from jostle.races.responses.search import ResponseRaceOptions
from jostle.races.schedules.reordering import OrderStrategy
from jostle.races.schedules.search import OrderOptions
from jostle.search.job import InDirectory, InMemory, Job, SearchOptions

WORDS = st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=8), max_size=3).map(tuple)
OPTIONS: st.SearchStrategy[SearchOptions] = st.one_of(
    st.builds(ExploreOptions, avoid=WORDS, strategy=st.sampled_from(StrategyName), events=st.integers(1, 10**6)),
    st.builds(ResponseRaceOptions, avoid=WORDS, events=st.integers(1, 10**6)),
    st.builds(
        OrderOptions,
        avoid=WORDS,
        ignored=WORDS,
        strategy=st.sampled_from(OrderStrategy),
        orders=st.none() | st.integers(1, 10**6),
    ),
)


@given(OPTIONS, st.integers(0, 2**53), st.none() | st.floats(0.1, 1e6), WORDS)
def test_written_and_read_again_it_is_the_same(
    options: SearchOptions, seed: int, budget: float | None, recordings: tuple[str, ...]
) -> None:
    job = Job.of("a technique", "http://x/", options, seed=seed, budget=budget, recordings=recordings)
    again = Job.from_json(job.to_json())
    assert again.options_as(type(options)) == options
    assert (again.seed, again.budget, again.recordings) == (seed, budget, recordings)
    assert again.to_json() == job.to_json()


def test_options_of_another_technique_are_refused() -> None:
    job = Job.of("explore", "http://x/", ExploreOptions(events=3))
    with pytest.raises(UsageProblem, match="options of the job `explore` are wrong"):
        job.options_as(OrderOptions)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"", "cannot be read"),
        (b"[]", "Expected `object`"),
        (b'{"technique": "explore"}', "missing required field `url`"),
        (b'{"technique": "explore", "url": "x", "more": 1}', "unknown field `more`"),
        (b'{"version": 7, "technique": "explore", "url": "x"}', "has version 7"),
        (b"\xff", "cannot be read"),
        (b"[" * 10_000, "cannot be read"),
    ],
)
def test_what_is_no_job_is_refused_in_words(text: bytes, said: str) -> None:
    with pytest.raises(UsageProblem, match=said):
        Job.from_json(text, "job.json")


def test_references(tmp_path: Path) -> None:
    (tmp_path / "a.jostle").write_bytes(b"one")
    assert InDirectory(tmp_path).read("a.jostle") == b"one"
    assert InDirectory().read(str(tmp_path / "a.jostle")) == b"one"
    with pytest.raises(UsageProblem, match=r"needs .*b\.jostle, which cannot be read"):
        InDirectory(tmp_path).read("b.jostle")
    memory = InMemory({"a": b"1"})
    memory.add("b", b"2")
    assert (memory.read("a"), memory.read("b"), "b" in memory, "c" in memory) == (b"1", b"2", True, False)
    with pytest.raises(UsageProblem, match="needs c"):
        memory.read("c")


def test_options_of_a_job_can_be_left_out() -> None:
    job = Job(technique="explore", url="http://x/")
    assert job.options_as(ExploreOptions) == ExploreOptions()
    assert msgspec.json.decode(job.to_json())["options"] == {}
