"""What must hold after every step, as the configuration says: JavaScript in the page, or a Python function."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from jostle.config.settings import Invariant
from jostle.errors import ConfigurationProblem
from jostle.findings import Defect, FindingKind, Severity
from jostle.findings.evidence import InvariantEvidence
from jostle.function import imported

Evaluate = Callable[[str], Awaitable[Any]]
"""The value of a JavaScript expression in the page, a promise's when it is fulfilled. Raises for a syntax error."""


class Invariants:
    """The invariants of a configuration. Functions are imported at once; raises ConfigurationProblem."""

    def __init__(self, invariants: Sequence[Invariant], directory: Path | None = None) -> None:
        self._scripts = [(each.name, each.javascript) for each in invariants if each.javascript]
        self._functions = [
            (each.name, each.python, imported(each.python, f"invariants, `{each.name}`", directory or Path.cwd()))
            for each in invariants
            if each.python
        ]

    @property
    def reads_pages(self) -> bool:
        """Whether a page's parts are needed, or the page itself is asked."""
        return bool(self._functions)

    def __bool__(self) -> bool:
        return bool(self._scripts or self._functions)

    async def broken(self, page: Mapping[str, Any], evaluate: Evaluate) -> list[Defect]:
        """What does not hold now. `page` is what Python functions get: `url`, `title`, `html` ..."""
        found = []
        for name, expression in self._scripts:
            if (said := await self._asked(name, expression, evaluate)) is not None:
                found.append(_problem(name, said, page, javascript=expression))
        for name, function, call in self._functions:
            if (said := _called(name, function, call, page)) is not None:
                found.append(_problem(name, said, page))
        return found

    async def _asked(self, name: str, expression: str, evaluate: Evaluate) -> str | None:
        try:
            held, said = await evaluate(asking(expression))
        except TimeoutError:
            return "its promise was not settled in time"
        except (RuntimeError, TypeError, ValueError) as error:
            raise ConfigurationProblem(
                f"invariants, `{name}`: `{expression}` cannot be evaluated: {str(error).splitlines()[0]}"
            ) from None
        return None if held else str(said)


def asking(expression: str) -> str:
    """JavaScript that tells whether an expression is true, and what it was. An exception, and a promise that is
    rejected, count as false and tell why."""
    return (
        "(async () => { try { const value = await (\n"
        f"{expression}\n"
        "); return [Boolean(value), `it was ${String(value)}`]; }"
        " catch (error) { return [false, `it threw ${String(error)}`]; } })()"
    )


def _called(name: str, function: str, call: Callable[..., Any], page: Mapping[str, Any]) -> str | None:
    """A function breaks it by giving something false, but for None, or by an AssertionError."""
    try:
        held = call(dict(page))
    except AssertionError as error:
        return f"{function} says {error}" if str(error) else f"an assertion of {function} failed"
    except Exception as error:  # the function is the user's: it may raise anything
        raise ConfigurationProblem(
            f"invariants, `{name}`: {function} failed on {page.get('url', 'a page')}: {type(error).__name__}: {error}"
        ) from error
    return None if held is None or held else f"{function} gave {held!r}"


def _problem(name: str, said: str, page: Mapping[str, Any], javascript: str | None = None) -> Defect:
    said = " ".join(said.split())[:500]
    return Defect(
        kind=FindingKind.BROKEN_INVARIANT,
        severity=Severity.HIGH,
        title=f"“{name}” does not hold: {said[:150]}",
        cause=name,
        evidence=InvariantEvidence(invariant=name, said=said, url=str(page.get("url", "")), javascript=javascript),
    )
