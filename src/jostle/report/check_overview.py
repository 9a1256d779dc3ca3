"""A run at a glance: what was checked, what came of it, what was covered, and what was not and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec

from jostle.model.machine import Machine
from jostle.plural import count
from jostle.report.check_stories import Card
from jostle.report.ranking import SEVERITIES
from jostle.report.rows import shown
from jostle.report.run_summary import RunSummary, SearchSummary
from jostle.report.technique import ReportedTechniques, Tries
from jostle.report.words import time

MOST_LEFT_ALONE = 200
_FIGURES = {
    "pages": "Pages (addresses)",
    "states": "States",
    "events": "Events done",
    "blocks": "Blocks of code that ran",
}


class SearchRow(msgspec.Struct, frozen=True, kw_only=True):
    """A search, in the table of what was covered."""

    what: str
    tried: str
    found: str
    time: str
    not_tried: str


class KindCount(msgspec.Struct, frozen=True, kw_only=True):
    """Findings of one kind, by severity."""

    key: str
    name: str
    numbers: tuple[int, ...]


def nothing_tried(told: RunSummary) -> bool:
    """The searches say that they came to nothing at all: that nothing was found is no news."""
    return bool(told.searches) and not any(each.tried for each in told.searches)


class Overview:
    """What a run tells of itself, in the words of the techniques that were used."""

    def __init__(self, told: RunSummary, techniques: ReportedTechniques) -> None:
        self._told = told
        self._techniques = techniques

    def found(self, cards: Sequence[Card], *, going: bool = False) -> str:
        """`7 problems found, 2 of them suspected`"""
        weak = sum(each.weak for each in cards)
        if not cards:
            if going:
                return "No problem found so far"
            return "Nothing was tried" if nothing_tried(self._told) else "No problem found"
        if weak == len(cards):
            return f"{count(weak, 'problem')} suspected, none proved"
        return f"{count(len(cards), 'problem')} found" + (f", {weak:,} of them only suspected" if weak else "")

    def sentence(self, machine: Machine, cards: Sequence[Card], seconds: float | None, *, lost: bool = False) -> str:
        """What was done and what came of it, unless that is lost."""
        told = self._told
        events, states, pages = (_number(told.stats.get(name)) for name in ("events", "states", "pages"))
        states = len(machine) or states
        used = [count(events, "event")] if events else []
        used += [count(states, "state")] if states else []
        used += [count(pages, "page")] if pages else []
        tried, happened = (
            sum(each.tried or 0 for each in told.searches if self._tries(each) is kind)
            for kind in (Tries.CASES, Tries.CONDITIONS)
        )
        did = [f"explored the application ({', '.join(used)})"] if used else []
        did += (
            [f"injected {count(happened, 'condition')} that should make no difference to the tests"] if happened else []
        )
        did += [f"tried {count(tried, 'case')} in which order, time or repetition could break it"] if tried else []
        long = f"In {time(1000 * seconds)}, jostle" if seconds else "jostle"
        done = f"{long} {' and '.join(did)}." if did else ""
        nothing = "Nothing went wrong."
        if lost:
            nothing = "The results cannot be read."
        elif nothing_tried(told):
            nothing = "Nothing was tested, so this result means nothing."
        came = f"Found {count(len(cards), 'problem')}: {severities(cards)}." if cards else nothing
        weak = sum(each.weak for each in cards)
        doubt = f" Of these, {weak:,} could not be reproduced." if weak else ""
        return f"{done} {came}{doubt}".strip()

    def meaning(self, machine: Machine) -> list[str]:
        """When nothing was found: what was tried, and what that means."""
        tried = [f"{self.what(each)}: {count(each.tried, 'case')}" for each in self._told.searches if each.tried]
        words = []
        if tried:
            words.append(f"Tried: {'; '.join(tried)}. None of them showed a problem.")
        elif not self._told.searches:
            words.append("The run does not say what was tried, so this result means little.")
        untried = sum(len(machine.unexplored(state)) for state in machine.states)
        more = f" {count(untried, 'thing')} that a user could do {'was' if untried == 1 else 'were'} seen and not done."
        words.append(
            "That is good news as far as it goes: what was not reached, and orders that were not tried, cannot show."
            + (more if untried else "")
            + " A longer --budget, a log-in in the configuration, or a recorded --scenario lead further."
        )
        return words

    def searches(self, cards: Sequence[Card]) -> list[SearchRow]:
        """Also those that have findings and tell nothing of themselves: the run was interrupted."""
        known = {each.name for each in self._told.searches}
        numbers = Counter(each.technique for each in cards)
        silent = [SearchSummary(name=name, found=number) for name, number in numbers.items() if name not in known]
        return [self._row(each, numbers[each.name]) for each in (*self._told.searches, *silent)]

    def _row(self, search: SearchSummary, findings: int) -> SearchRow:
        left = f"{search.not_tried:,}" if search.not_tried else ""
        why = shown(search.why)
        return SearchRow(
            what=self.what(search),
            tried=f"{search.tried:,}" if search.tried is not None else "not known",
            found=f"{search.found if search.found is not None else findings:,}",
            time=time(1000 * search.seconds) if search.seconds is not None else "",
            not_tried=f"{left}: {why}" if left and why else left or why or ("0" if search.tried is not None else ""),
        )

    def what(self, search: SearchSummary) -> str:
        """What a search does, in words."""
        technique = self._techniques.get(search.name)
        words = shown(search.what) or (technique.title if technique is not None else shown(search.name))
        return words[:1].upper() + words[1:]

    def facts(
        self,
        *,
        started: str,
        seconds: float | None,
        browser: str,
        seed: int,
        version: str,
        options: Mapping[str, Any],
    ) -> list[tuple[str, str]]:
        workers = _number(options.get("workers"))
        budget = self._told.budget or options.get("budget")
        allowed = f" of {time(1000 * budget)}" if isinstance(budget, (int, float)) and budget > 0 else ""
        known = {
            "Checked": _when(started),
            "Took": f"{time(1000 * seconds)}{allowed}" if seconds else "",
            "Browser": (self._told.browser or browser).replace("/", " "),
            "Browsers side by side": str(workers) if workers and workers > 1 else "",
            "Seed": "" if self._is_suite() else str(seed),
            "jostle": version,
        }
        return [(name, shown(value)) for name, value in known.items() if value]

    def not_covered(self, machine: Machine) -> Iterator[str]:
        """Each thing that was not tried, with the reason."""
        for search in self._told.searches:
            if search.not_tried:
                reason = f": {shown(search.why)}" if search.why else ""
                yield f"{self.what(search)}: {count(search.not_tried, 'case')} not tried{reason}."
            elif search.why:
                yield f"{self.what(search)}: {shown(search.why)}."
        places = [len(machine.unexplored(state)) for state in machine.states]
        if any(places):
            where = count(sum(map(bool, places)), "state")
            number = sum(places)
            yield f"{count(number, 'thing')} that a user could do in {where} {_was(number)} seen and never done."
        if ended := self._told.stats.get("ended"):
            yield f"Using the application ended because {shown(str(ended))}."

    def _is_suite(self) -> bool:
        """Whether a suite of tests was run, in which nothing is left to chance."""
        searches = self._told.searches
        return bool(searches) and all(self._tries(each) is Tries.CONDITIONS for each in searches)

    def _tries(self, search: SearchSummary) -> Tries:
        technique = self._techniques.get(search.name)
        return technique.tries if technique is not None else Tries.CASES


def severities(cards: Sequence[Card]) -> str:
    """`2 high, 3 medium`"""
    numbers = Counter(each.severity for each in cards)
    return ", ".join(f"{numbers[each.value]:,} {each.value}" for each in SEVERITIES if numbers[each.value])


def kinds(cards: Sequence[Card]) -> list[KindCount]:
    names = {each.kind: each.kind_name for each in cards}
    numbers = Counter((each.kind, each.severity) for each in cards)
    made = [
        KindCount(key=key, name=name, numbers=tuple(numbers[key, each.value] for each in SEVERITIES))
        for key, name in names.items()
    ]
    return sorted(made, key=lambda each: tuple(-number for number in each.numbers))


def figures(told: RunSummary, machine: Machine) -> list[tuple[str, str]]:
    known = {**told.stats, **({"states": len(machine)} if len(machine) else {})}
    return [(words, f"{number:,}") for name, words in _FIGURES.items() if (number := _number(known.get(name)))]


def left_alone(told: RunSummary) -> list[tuple[str, str]]:
    """What the rules say not to touch, with the rule."""
    met: dict[str, str] = {}
    for stats in (told.stats, *(each.stats for each in told.searches)):
        avoided = stats.get("avoided")
        if isinstance(avoided, Mapping):
            met |= {shown(str(words)): shown(str(rule)) for words, rule in avoided.items()}
    return list(met.items())[:MOST_LEFT_ALONE]


def _was(number: int) -> str:
    return "was" if number == 1 else "were"


def _number(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _when(started: str) -> str:
    try:
        return f"{datetime.fromisoformat(started):%-d %B %Y, %H:%M %Z}".strip()
    except ValueError:
        return started
