"""One test in all conditions, with a test that is a few lines of Python."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from jostle.adverse.condition import Condition, Neutral, Pass
from jostle.adverse.examination import Examination, ExaminationOptions
from jostle.adverse.failure import ObservedRun
from jostle.adverse.plan import Failure, Injection, InjectionOutcome, InjectionPlan
from jostle.adverse.points import InjectionPoint
from jostle.adverse.redundancy import InjectionSituation, TriedSituations
from jostle.adverse.run import AdverseRun, RunSetup
from jostle.adverse.selection import by_default, chosen, passes
from jostle.adverse.timeouts import Timeouts

SCREENS = {1: "list", 2: "menu", 3: "dialog", 4: "list"}


async def nothing(ground: object) -> str:
    return ""


def condition(name: str, in_pass: Pass = Pass.KEPT, **more: Any) -> Condition:
    more.setdefault("neutral", Neutral.COMMONLY)
    return Condition(name=name, title=f"{name} happens", what="", why="", in_pass=in_pass, inject=nothing, **more)


CONDITIONS = {
    each.name: each
    for each in (
        condition("hide"),
        condition("resize"),
        condition("reload", Pass.REBUILT),
        condition("slow", Pass.ENVIRONMENT),
        condition("slower", Pass.ENVIRONMENT, neutral=Neutral.ASSUMED),
    )
}


class Trial:
    """Four actions; `fails` says what makes the check after the last one fail, `unrestored` what cannot be put back."""

    def __init__(self, fails: Callable[[set[Injection]], bool], unrestored: Mapping[str, str] | None = None) -> None:
        self._fails = fails
        self._unrestored = unrestored or {}
        self.runs: list[InjectionPlan] = []
        self.timeouts: list[Timeouts | None] = []
        self.slow = False
        """Whether the check takes longer than who is impatient waits."""
        self.busy = False
        """Whether the machine is too busy for who is impatient, from the second run on."""

    def __call__(self, setup: RunSetup) -> ObservedRun:
        plan, redundancy = setup.plan, setup.redundancy
        self.runs.append(plan)
        self.timeouts.append(setup.timeouts)
        run = AdverseRun(setup, CONDITIONS)
        for number in range(1, 5):
            run.points.append(
                InjectionPoint(
                    number=number, api="Locator.click", words=f"click {number}", event="click", where=f"t.py:{number}"
                )
            )
            for name in plan.conditions:
                injection = Injection(number, name)
                situation = InjectionSituation(SCREENS[number], "click", name)
                if not plan.wants(*injection):
                    continue
                if redundancy is not None and redundancy.known(situation):
                    run.skipped += 1
                    continue
                run.situations[injection] = situation
                run.performed.append(injection)
                if name in self._unrestored:
                    run.unrestored[name] = self._unrestored[name]
        done = tuple(run.performed)
        failure = None
        if self._fails(set(done)) or (self.slow and setup.timeouts is not None and done):
            failure = Failure(kind="AssertionError", message="still visible", where="t.py:9", point=4)
        if self.busy and setup.timeouts is not None and plan.only is not None:
            failure = Failure(kind="TimeoutError", message="click", where="t.py:2", point=2)
        return ObservedRun(
            outcome=InjectionOutcome(failure=failure, performed=done, points=4), run=run, told="Traceback"
        )


def examined(trial: Trial, conditions: Mapping[str, Condition] = CONDITIONS, **more: Any) -> Any:
    control = trial(RunSetup())
    trial.runs.clear()
    trial.timeouts.clear()
    options = more.pop("options", ExaminationOptions())
    return Examination(trial, control, conditions, options, **more).examine()


def test_passes() -> None:
    assert list(passes(CONDITIONS)) == [
        (Pass.KEPT, ("hide", "resize")),
        (Pass.REBUILT, ("reload",)),
        (Pass.ENVIRONMENT, ("slow",)),
        (Pass.ENVIRONMENT, ("slower",)),
    ]


def test_nothing_makes_a_difference() -> None:
    trial = Trial(lambda done: False)
    result = examined(trial)
    assert not result.failures
    assert [plan.conditions for plan in trial.runs] == [("hide", "resize"), ("reload",), ("slow",), ("slower",)]
    assert result.injected == 4 * 5
    assert result.points == 4


def test_what_is_to_blame() -> None:
    result = examined(Trial(lambda done: (3, "hide") in done))
    (failure,) = result.failures
    (place,) = failure.places
    assert (place.point, place.condition, place.words, place.where) == (3, "hide", "click 3", "t.py:3")
    assert failure.token.startswith("hide@3.")
    assert failure.isolated
    assert failure.told == "Traceback"


def test_without_isolation() -> None:
    (failure,) = examined(Trial(lambda done: (3, "hide") in done), options=ExaminationOptions(isolate=False)).failures
    assert len(failure.places) == 8
    assert not failure.isolated


def test_each_pass_has_its_own() -> None:
    result = examined(Trial(lambda done: bool({(3, "hide"), (2, "reload"), (1, "slower")} & done)))
    assert [each.places[0].condition for each in result.failures] == ["hide", "reload", "slower"]


def test_what_cannot_be_put_back_is_no_failure() -> None:
    trial = Trial(lambda done: any(each.condition == "resize" for each in done), {"resize": "the window stays narrow"})
    result = examined(trial)
    assert not result.failures
    assert "resize is left out: the window stays narrow" in result.notes
    assert trial.runs[1].conditions == ("hide",)


def test_a_failure_that_does_not_happen_again_is_told_as_such() -> None:
    times: list[int] = []

    def once(done: set[Injection]) -> bool:
        times.extend([1] if done else [])
        return bool(done) and len(times) == 1

    result = examined(Trial(once), {"hide": CONDITIONS["hide"]})
    assert not result.failures
    assert any("not again" in note for note in result.notes)


def test_a_flaky_test_ends_it() -> None:
    calls: list[int] = []

    def later(done: set[Injection]) -> bool:
        calls.append(1)
        return len(calls) > 1

    result = examined(Trial(later))
    assert not result.failures
    assert "Flaky" in result.unstable


def test_no_time() -> None:
    trial = Trial(lambda done: True)
    trial_control = Trial(lambda done: False)
    control = trial_control(RunSetup())
    result = Examination(trial, control, CONDITIONS, ExaminationOptions(), over=lambda: True).examine()
    assert result.cut
    assert not trial.runs


def test_the_same_in_a_second_test_is_left_out() -> None:
    tried = TriedSituations()
    fails = Trial(lambda done: (3, "hide") in done)
    first = examined(fails, {"hide": CONDITIONS["hide"]}, redundancy=tried)
    second = examined(fails, {"hide": CONDITIONS["hide"]}, redundancy=tried)
    assert len(first.failures) == 1
    assert not second.failures
    assert second.skipped


def test_what_a_test_controls_itself() -> None:
    conditions = {"resize": condition("resize", conflicts=frozenset({"set_viewport_size"})), **CONDITIONS}
    conditions["resize"] = condition("resize", conflicts=frozenset({"set_viewport_size"}))
    left, why = chosen(conditions, frozenset({"click", "set_viewport_size"}))
    assert "resize" not in left
    assert "hide" in left
    assert why == ["resize is left out: the test uses set_viewport_size itself"]


def test_markers() -> None:
    assert set(chosen(CONDITIONS, frozenset(), skip=["hide", "environment"])[0]) == {"resize", "reload"}
    assert set(chosen(CONDITIONS, frozenset(), only=["rebuilt", "slow"])[0]) == {"reload", "slow"}


def test_what_is_used_unless_names_are_given() -> None:
    asked = condition("clock", neutral=Neutral.ASKED)
    assert set(by_default({**CONDITIONS, "clock": asked})) == set(CONDITIONS)


def test_looks_for_the_cause_impatiently_and_shows_it_with_patience() -> None:
    trial = Trial(lambda done: Injection(2, "resize") in done)
    result = examined(trial, options=ExaminationOptions(timeouts=Timeouts(2.0, 1.0)))
    assert [failure.places[0].condition for failure in result.failures] == ["resize"]
    kept = trial.timeouts[: trial.timeouts.index(None)]
    assert len(kept) > 2
    assert set(kept) == {Timeouts(2.0, 1.0)}
    assert trial.timeouts[len(kept) : len(kept) + 2] == [None, None]  # once more with the cause, and without


def test_what_only_takes_long_is_no_failure() -> None:
    trial = Trial(lambda done: False)
    trial.slow = True
    result = examined(trial, options=ExaminationOptions(timeouts=Timeouts(2.0, 1.0)))
    assert not result.failures
    assert not result.notes
    assert not result.unstable


def test_what_takes_long_does_not_hide_a_failure() -> None:
    trial = Trial(lambda done: Injection(3, "hide") in done)
    trial.slow = True
    result = examined(trial, options=ExaminationOptions(timeouts=Timeouts(2.0, 1.0)))
    assert [failure.places[0].condition for failure in result.failures] == ["hide"]


def test_a_failure_for_want_of_time_does_not_mislead_the_search_for_the_cause() -> None:
    trial = Trial(lambda done: Injection(3, "hide") in done)
    trial.busy = True
    result = examined(trial, options=ExaminationOptions(timeouts=Timeouts(2.0, 1.0)))
    (failure,) = result.failures
    assert [(place.point, place.condition) for place in failure.places] == [(3, "hide")]


def test_where_everything_takes_longer_nothing_is_hurried() -> None:
    trial = Trial(lambda done: False)
    examined(trial, {"slow": CONDITIONS["slow"]}, options=ExaminationOptions(timeouts=Timeouts(2.0, 1.0)))
    assert trial.timeouts == [None]
