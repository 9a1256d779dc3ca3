"""What is known about one example."""

from __future__ import annotations

import msgspec


class Example(msgspec.Struct, frozen=True, kw_only=True):
    """One page or application that the example server shows."""

    name: str
    path: str
    """Where the server shows it, from the root: `/slideshow/`."""
    title: str
    description: str
    expected: tuple[str, ...] = ()
    """Kinds of finding it should give. One bug may be seen as several kinds; empty means that nothing is wrong."""
    twin: str | None = None
    """The same page without the bug."""
    twin_of: str | None = None
    """The page with the bug, of which this is the correct version."""
    scenario: tuple[str, ...] = ()
    """What a user does there, whose events `jostle races orders` puts in other orders; see `jostle.examples.scenario`.
    Pages without one are not meant for it."""


def page(
    name: str,
    title: str,
    description: str,
    *expected: str,
    twin: str | None = None,
    twin_of: str | None = None,
    scenario: tuple[str, ...] = (),
) -> Example:
    """The example in the folder of that name."""
    return Example(
        name=name,
        path=f"/{name}/",
        title=title,
        description=description,
        expected=expected,
        twin=twin,
        twin_of=twin_of,
        scenario=scenario,
    )
