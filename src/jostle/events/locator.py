"""How an element of a page is named, for people and for finding it again in another run."""

from __future__ import annotations

import msgspec


class Locator(msgspec.Struct, frozen=True, omit_defaults=True):
    """An element by the words a person would use, with what is needed to find it again.

    It is found by its test id, else by role and name (and the part of the page it stands in), else by
    the CSS path; the path and then `nth` decide among elements that share role and name.
    """

    words: str
    """`button "Save"`, `checkbox "Done" in item "Milk"`; different for every element that can be acted on."""
    role: str = ""
    """The ARIA role, or a plain word where ARIA has none: `password field`, `div`."""
    name: str = ""
    """The accessible name, shortened."""
    test: str = ""
    """The value of `data-testid` or one of its kin."""
    css: str = ""
    """Child steps from the nearest ancestor with a name of its own; ` >>> ` enters an open shadow root."""
    within: str = ""
    """The part of the page it stands in, where that is needed to tell it from others."""
    nth: int = 1
    """The n-th of those that share role, name and part, from 1."""
    frame: tuple[str, ...] = ()
    """CSS paths of the iframes to go through, from the page inwards; empty in the page itself."""

    def __str__(self) -> str:
        return self.words
