"""The pages of the paper on repairing races, where no other example has the same race."""

from __future__ import annotations

from jostle.examples.entry import Example, page

REPAIR_PAGES: tuple[Example, ...] = (
    page(
        "picture-gallery",
        "Pictures",
        "Deleting a picture while those of another place are on their way throws: what the button needs is gone.",
        "ajax-race",
        "exception",
        twin="picture-gallery-fixed",
    ),
    page(
        "picture-gallery-fixed",
        "Pictures, correct",
        "Each button knows its picture, and only the place that was asked for last is shown.",
        twin_of="picture-gallery",
    ),
    page(
        "two-settings",
        "Settings",
        "Two responses write one cookie: the one that arrives last wins, whatever was chosen last.",
        "ajax-race",
        twin="two-settings-fixed",
    ),
    page(
        "two-settings-fixed",
        "Settings, correct",
        "Only the response to the last request counts.",
        twin_of="two-settings",
    ),
    page(
        "airports",
        "Flights",
        "A request within the response to another one sets both fields: what was entered until then is lost.",
        "form-input-overwritten",
        twin="airports-fixed",
    ),
    page(
        "airports-fixed",
        "Flights, correct",
        "Only what is still empty is filled in.",
        twin_of="airports",
    ),
    page(
        "hover-menu",
        "Department store",
        "Pointing at the menu before its script has loaded throws, and the menu does not open.",
        "access-before-definition",
        twin="hover-menu-fixed",
    ),
    page(
        "hover-menu-fixed",
        "Department store, correct",
        "The function is there before the menu.",
        twin_of="hover-menu",
    ),
    page(
        "inserted-scripts",
        "Offers",
        "Two inserted scripts run in the order in which they arrive, but the second one needs the first.",
        "order-violation",
        twin="inserted-scripts-fixed",
    ),
    page(
        "inserted-scripts-fixed",
        "Offers, correct",
        "Inserted scripts that are not async run in the order in which they were inserted.",
        twin_of="inserted-scripts",
    ),
)
