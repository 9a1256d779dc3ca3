"""What is told of a suite: bugs, names of failures, what is known. Without a browser: reports as tests make them."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from jostle.adverse.failure import AdverseFailure, BlamedInjection, ExaminationResult
from jostle.adverse.plan import Failure
from jostle.adverse.suite import TestOutcome
from jostle.runs import RunDirectory, Status

pytest_plugins = ["pytester"]

CONFTEST = """
import json, pathlib, pytest

@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport(item, call):
    report = yield
    told = json.loads(pathlib.Path(item.config.rootpath, "told.json").read_text())
    if call.when == "teardown" and item.name in told:
        report.jostle = told[item.name]
    return report
"""


def failure(condition: str = "hide", message: str = "still visible", **more: Any) -> AdverseFailure:
    more.setdefault("screen", "list")
    return AdverseFailure(
        failure=Failure(kind="AssertionError", message=message, where="test_it.py:9", point=3),
        places=(
            BlamedInjection(
                point=2, condition=condition, title=f"{condition} happens", words="click", where="test_it.py:7"
            ),
        ),
        token=f"{condition}@2",
        in_pass="kept",
        neutral="commonly",
        why="",
        category="silent fail",
        told="Traceback (most recent call last)",
        **more,
    )


def told(pytester: pytest.Pytester, **failures: list[AdverseFailure]) -> None:
    pytester.makepyfile(test_it="\n".join(f"def {name}(): pass" for name in failures))
    pytester.makeconftest(CONFTEST)
    carried = {
        name: msgspec.to_builtins(
            TestOutcome(test=f"test_it.py::{name}", examined=ExaminationResult(failures=each, runs=3))
        )
        for name, each in failures.items()
    }
    (pytester.path / "told.json").write_text(json.dumps(carried))


def run(pytester: pytest.Pytester, *options: str) -> tuple[pytest.RunResult, Any]:
    done = pytester.runpytest_inprocess(
        "--jostle-adverse", "--jostle-json=out.json", "-p", "no:xdist", "-p", "no:playwright", *options
    )
    return done, json.loads((pytester.path / "out.json").read_text())


def test_failures_of_one_bug_are_one_finding(pytester: pytest.Pytester) -> None:
    told(pytester, test_a=[failure(), failure("resize")], test_b=[failure()], test_c=[])
    done, document = run(pytester)
    done.assert_outcomes(passed=3, failed=3)
    assert done.ret == pytest.ExitCode.TESTS_FAILED
    assert [finding["title"] for finding in document["findings"]] == [
        "test_a fails when hide happens",
        "test_a fails when resize happens",
    ]
    assert document["findings"][0]["evidence"]["also"] == ["test_it.py::test_b[adverse: hide after line 7]"]
    assert (document["stats"]["failures"], document["stats"]["bugs"]) == (3, 2)
    done.stdout.fnmatch_lines(
        [
            "*The test passes, and fails when hide happens.",
            "*adverse conditions*",
            "test_a fails when hide happens",
            "*again with pytest test_it.py::test_a --jostle-repro hide@2",
            "*the same, probably: 1 further failure*",
            "*3 failures of 2 bugs, probably.",
            "The report: *report.html",
            "FAILED test_it.py::test_a?adverse: hide after line 7?*",
        ]
    )


def test_findings_are_on_disk_when_they_are_told(pytester: pytest.Pytester) -> None:
    """Whoever ends the process finds what was told so far; a failure of a bug that is known by then is added to it."""
    told(pytester, test_a=[failure(), failure("resize")], test_b=[failure()], test_c=[])
    test = pytester.path / "test_it.py"
    test.write_text(test.read_text().replace("def test_c(): pass", "def test_c(): import os; os._exit(9)"))
    done = pytester.runpytest_subprocess("--jostle-adverse", "-p", "no:xdist", "-p", "no:playwright")
    assert done.ret == 9
    [path] = (pytester.path / ".jostle" / "runs").iterdir()
    with RunDirectory.open(path) as run:
        found = {each.title: each for each in run.findings}
        assert run.info.status is Status.INTERRUPTED
    assert set(found) == {"test_a fails when hide happens", "test_a fails when resize happens"}
    evidence = msgspec.to_builtins(found["test_a fails when hide happens"].evidence)
    assert list(evidence["also"]) == ["test_it.py::test_b[adverse: hide after line 7]"]


def test_what_cannot_be_written_is_told(pytester: pytest.Pytester) -> None:
    told(pytester, test_a=[failure()])
    done = pytester.runpytest_inprocess("--jostle-adverse", "--jostle-html=nowhere/out.html", "-p", "no:playwright")
    done.assert_outcomes(passed=1, failed=1)
    said = "\n".join(done.outlines)
    assert "nowhere/out.html cannot be written" in said
    assert "The report:" not in said


def test_what_is_known_is_no_failure(pytester: pytest.Pytester) -> None:
    told(pytester, test_a=[failure()], test_b=[failure()])
    done, _ = run(pytester, "--jostle-baseline=known.json", "--jostle-update-baseline")
    done.assert_outcomes(passed=2)
    told(pytester, test_a=[failure()], test_b=[failure()], test_c=[failure("resize")])
    done, document = run(pytester, "--jostle-baseline=known.json")
    done.assert_outcomes(passed=3, failed=1)
    done.stdout.fnmatch_lines(["test_a fails when hide happens (known)", "test_c fails when resize happens"])
    assert len(document["findings"]) == 2


def test_notes(pytester: pytest.Pytester) -> None:
    told(pytester, test_a=[], test_b=[])
    carried = json.loads((pytester.path / "told.json").read_text())
    carried["test_a"]["left_out"] = "it fails without any condition"
    carried["test_b"]["changes"] = ["POST /save"]
    carried["test_b"]["examined"]["notes"] = ["hide is left out: \x1b[31mred"]
    (pytester.path / "told.json").write_text(json.dumps(carried))
    done, document = run(pytester)
    assert done.ret == pytest.ExitCode.OK
    assert document["stats"]["examined"] == 1
    text = "\n".join(done.outlines)
    assert "test_it.py::test_a did not take part: it fails without any condition." in text
    assert "test_it.py::test_b changes the server (POST /save) and nothing resets it between runs." in text
    assert "`app.reset` in jostle.toml" in text
    assert "\x1b[31mred" not in text


def test_last_failed_runs_the_test_itself(pytester: pytest.Pytester) -> None:
    told(pytester, test_a=[failure()], test_b=[])
    run(pytester)
    done = pytester.runpytest_inprocess("--last-failed", "-p", "no:xdist", "-p", "no:playwright")
    done.assert_outcomes(passed=1)


def test_a_reset_that_fails_ends_it(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_it="import pytest\n@pytest.fixture\ndef page(): pass\ndef test_a(page): pass")
    (pytester.path / "jostle.toml").write_text('[app]\nreset = "exit 7"\n')
    done = pytester.runpytest_inprocess("--jostle-adverse", "-p", "no:xdist", "-p", "no:playwright")
    assert done.ret == 3
    said = "\n".join((*done.outlines, *done.errlines))
    assert "`app.reset` ended with code 7" in said
    assert "INTERNALERROR" not in said


def test_a_test_without_a_browser_is_left_alone(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_it="def test_a(): pass")
    (pytester.path / "jostle.toml").write_text('[app]\nreset = "exit 7"\n')
    done = pytester.runpytest_inprocess("--jostle-adverse", "-p", "no:xdist", "-p", "no:playwright")
    done.assert_outcomes(passed=1)
    done.stdout.fnmatch_lines(["No test used Playwright."])


def test_resets_come_before_each_run(pytester: pytest.Pytester) -> None:
    pytester.makeconftest(
        """
        import pytest
        log = []
        def pytest_jostle_reset(item): log.append("hook")
        @pytest.fixture
        def jostle_reset(): log.append("fixture")
        @pytest.fixture
        def page(): log.append("page")
        def pytest_sessionfinish(): print("\\nreset:", *log)
        """
    )
    pytester.makepyfile(test_it="def test_a(page): pass")
    done = pytester.runpytest_inprocess("--jostle-adverse", "-p", "no:xdist", "-p", "no:playwright")
    done.assert_outcomes(passed=1)
    done.stdout.fnmatch_lines(["reset: hook fixture page"])
