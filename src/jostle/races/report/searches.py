"""The three ways of looking for races, in words."""

from __future__ import annotations

import msgspec


class RaceSearch(msgspec.Struct, frozen=True, kw_only=True):
    """What a report says of a search for races."""

    name: str
    """As findings and documents have it."""
    about: str
    case: str
    """What is tried, in the singular."""
    of_what: str = ""
    nothing: str
    """Why nothing was tried."""
    unseen: str
    """What that leaves open."""
    did: str
    """What was done when something was tried."""
    reading: tuple[tuple[str, str], ...]
    """What readers may want explained."""


LOADING = RaceSearch(
    name="races init",
    about="races while the page loads",
    case="case",
    nothing="Nothing on this page can be used before the code it needs has loaded",
    unseen="what appears only after a log-in or deeper inside the application was not loaded.",
    did="the user acted at the worst moment while the page was loading",
    reading=(
        (
            "Race while loading",
            "A page can be seen and used before all its code has arrived. A quick user, or one on a slow network, "
            "acts too early.",
        ),
        (
            "Good and bad order",
            "Both have the same actions and the same responses. In the good order everything has loaded before the "
            "user acts; in the bad one it is slow.",
        ),
    ),
)
RESPONSES = RaceSearch(
    name="races ajax",
    about="races between responses",
    case="pair",
    of_what=" of actions",
    nothing="No two actions were seen whose responses could interfere",
    unseen="actions that were not performed cannot show a race. A scenario (--scenario) reaches others.",
    did="the second action was done before the responses to the first arrived",
    reading=(
        (
            "Races between responses",
            "Responses need not arrive in the order of their requests. On a fast network they mostly do; on a "
            "train they do not.",
        ),
        (
            "Good and bad order",
            "Both have the same actions and the same responses. In the good order everything has arrived before the "
            "user goes on; in the bad one it is slow.",
        ),
    ),
)
SCHEDULES = RaceSearch(
    name="races orders",
    about="other orders of the same events",
    case="order",
    nothing="No two events were seen that could change places and use the same data",
    unseen="events that did not happen cannot show a race. A scenario (--scenario) reaches others.",
    did="the same events, with the same responses, in another order",
    reading=(
        (
            "Orders",
            "Responses, timers, messages and parsing need not happen in the order seen once. What the user does stays "
            "in its order.",
        ),
        (
            "Good and bad order",
            "Both have the same actions and the same responses. The good order is how it goes by itself, or ends like "
            "that; in the bad one as few events as possible have changed places.",
        ),
    ),
)
