"""Pages that the server has drawn and a late script makes usable, and pages that only look as if that could hurt."""

from __future__ import annotations

from jostle.examples.entry import Example, page

HYDRATION_PAGES: tuple[Example, ...] = (
    page(
        "hydrated-root",
        "Choir",
        "One late listener at the root is for all: until then the form is sent by the browser, the link leaves the "
        "page and clicks are lost; then the fields are set to what the script knows.",
        "form-input-overwritten",
        "late-handler",
        twin="hydrated-root-fixed",
    ),
    page(
        "hydrated-root-fixed",
        "Choir, correct",
        "Buttons are disabled until the script has come, the link leads to what it shows in place, and fields keep "
        "what was entered.",
        twin_of="hydrated-root",
    ),
    page(
        "hydrated-elements",
        "Bakery",
        "Each element gets its handler late, and the field its value: the form is sent by the browser, the link leaves "
        "the page, what was entered is overwritten.",
        "form-input-overwritten",
        "late-handler",
        twin="hydrated-elements-fixed",
    ),
    page(
        "hydrated-elements-fixed",
        "Bakery, correct",
        "What needs the script is disabled until it has come, and a field that was changed is left as it is.",
        twin_of="hydrated-elements",
    ),
    page(
        "spelled-otherwise",
        "Museum",
        "Handlers come late and show in place what the links lead to, under addresses that are spelled otherwise.",
    ),
    page(
        "rightly-refused",
        "Locker",
        "A form that is not filled in as it should be is refused before the script has come and after.",
    ),
)
