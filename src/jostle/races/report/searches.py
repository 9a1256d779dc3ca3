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
    nothing="Nothing on this page can be used before the code is there that it needs",
    unseen="what only shows after a log-in or further inside the application was not loaded.",
    did="the user acted at the worst moment while the page loaded",
    reading=(
        (
            "Race while loading",
            "A page can be seen and used before all its code has arrived. Who is quick, or has a slow network, acts "
            "too early for it.",
        ),
        (
            "Good and bad order",
            "The same actions and the same answers in both. In the good order everything has loaded before the user "
            "acts; in the bad one it comes late.",
        ),
    ),
)
RESPONSES = RaceSearch(
    name="races ajax",
    about="races of answers",
    case="pair",
    of_what=" of actions",
    nothing="No two actions were seen whose answers could get in each other’s way",
    unseen="what was not done cannot show. A scenario (--scenario) leads to other actions.",
    did="the second action was done before the answers to the first arrived",
    reading=(
        (
            "Race of answers",
            "Answers of a server need not arrive in the order in which they were asked for. On a fast network they "
            "mostly do; on a train they do not.",
        ),
        (
            "Good and bad order",
            "The same actions and the same answers in both. In the good order everything has arrived before the user "
            "goes on; in the bad one it comes late.",
        ),
    ),
)
SCHEDULES = RaceSearch(
    name="races orders",
    about="other orders of the same events",
    case="order",
    nothing="No two events were seen that could change places and touch the same data",
    unseen="what was not done cannot show. A scenario (--scenario) leads to other events.",
    did="the same things were done with the same answers, in another order",
    reading=(
        (
            "Orders",
            "Answers, timers, messages and the parser need not come in the order in which they came when somebody "
            "looked. What the user does stays in its order.",
        ),
        (
            "Good and bad order",
            "The same actions and the same answers in both. The good order is how it goes by itself, or ends like "
            "that; in the bad one as few events as possible have changed places.",
        ),
    ),
)
