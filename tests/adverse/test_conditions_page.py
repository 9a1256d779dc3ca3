"""docs/reference/conditions.md says of each condition what the catalogue says.

`python -m tests.adverse.test_conditions_page` writes its tables anew.
"""

from __future__ import annotations

import re
from pathlib import Path

from jostle.adverse.condition import Condition, Neutral, Pass
from jostle.adverse.conditions import CATALOGUE

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "conditions.md"
SURE = {
    Neutral.COMMONLY: "commonly expected",
    Neutral.ASSUMED: "assumed",
    Neutral.ASKED: "only when asked for",
}
HEAD = (
    "| condition | what is done | why it should make no difference | neutral | costs |\n"
    "| --- | --- | --- | --- | --- |\n"
)


def row(condition: Condition) -> str:
    what = f"{condition.title[0].upper()}{condition.title[1:]}. {condition.what}"
    if condition.conflicts:
        calls = ", ".join(f"`{call}`" for call in sorted(condition.conflicts))
        what += f" Left out of tests that use {calls}."
    return f"| `{condition.name}` | {what} | {condition.why} | {SURE[condition.neutral]} | {condition.cost} |\n"


def table(in_pass: Pass) -> str:
    return HEAD + "".join(row(each) for each in CATALOGUE.values() if each.in_pass is in_pass)


def written(text: str) -> str:
    for in_pass in Pass:
        text = re.sub(
            rf"(<!-- {in_pass} -->\n).*?(?=\n##|\Z)",
            lambda found, in_pass=in_pass: found[1] + table(in_pass),  # type: ignore[misc]
            text,
            flags=re.DOTALL,
        )
    return text


def test_the_page_says_what_the_catalogue_says() -> None:
    text = PAGE.read_text("utf-8")
    assert all(f"<!-- {in_pass} -->" in text for in_pass in Pass)
    assert written(text) == text, "write it anew: python -m tests.adverse.test_conditions_page"


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text("utf-8")), "utf-8")
