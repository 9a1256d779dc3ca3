"""Progress of a check: several searches are under way at once."""

from __future__ import annotations

import msgspec

from jostle.progress import Finished, Listener, Progress, Started


def named(listener: Listener, name: str) -> Listener:
    """Progress with the name of the search before it: several may be under way."""

    def tell(progress: Progress, /) -> None:
        if isinstance(progress, Started):
            progress = msgspec.structs.replace(progress, what=f"{name}: {progress.what}")
        elif isinstance(progress, Finished):
            progress = msgspec.structs.replace(progress, summary=f"{name}: {progress.summary}")
        listener(progress)

    return tell
