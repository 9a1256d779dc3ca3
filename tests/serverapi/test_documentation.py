"""What the page about the language says is so."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

import pytest

from jostle.serverapi.ail_parser import AilProblem, parse_description

DOCS = Path(__file__).parents[2] / "docs"


def blocks(page: str) -> list[str]:
    """The examples of a page."""
    text = (DOCS / page).read_text()
    return [textwrap.dedent(each) for each in re.findall(r"(?:^(?:    .*)?\n)+", text, re.MULTILINE)]


@pytest.mark.parametrize("document", ["reference/ail.md", "how-to/api.md"])
def test_examples_are_descriptions(document: str) -> None:
    found = [each for each in blocks(document) if re.search(r"^URL http", each, re.MULTILINE)]
    assert found
    for each in found:
        assert len(parse_description(each.strip()).operations) >= 4


def test_the_example_of_a_mistake() -> None:
    (told,) = [each.strip() for each in blocks("reference/ail.md") if each.strip().startswith("Error: api.ail")]
    line = told.splitlines()[1].strip()
    with pytest.raises(AilProblem) as caught:
        parse_description(f"URL http://x\n\n{line}", "api.ail")
    assert f"Error: {caught.value.message}" == told
