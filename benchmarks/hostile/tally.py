"""What came of attacks, and how it is told."""

from __future__ import annotations

import msgspec


class Row(msgspec.Struct, kw_only=True):
    """Attacks of one kind."""

    what: str
    tried: int = 0
    failures: list[str] = []
    """What got through, in words."""
    figures: str = ""

    @property
    def survived(self) -> int:
        return self.tried - len(self.failures)

    def count(self, failure: str | None) -> None:
        """One attack more; None if nothing came of it."""
        self.tried += 1
        if failure is not None:
            self.failures.append(failure)


def table(rows: list[Row]) -> str:
    """As Markdown."""
    lines = ["| attack | tried | survived | figures |", "| --- | ---: | ---: | --- |"]
    lines += [f"| {row.what} | {row.tried} | {row.survived} | {row.figures} |" for row in rows]
    told = [f"- {row.what}: {failure}" for row in rows for failure in row.failures]
    return "\n".join([*lines, *(["", "What got through:", *told] if told else [])])
