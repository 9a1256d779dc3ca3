"""Which of the things that were done every time is to blame."""

from __future__ import annotations

from jostle.model.label import label
from jostle.slowdowns.alternate import Trial
from jostle.slowdowns.leaving import writes


def culprit(trial: Trial) -> str:
    """The label of what adds listeners, where these pile up. Else of the cause; or of the one thing on the way from it
    to the effect that leaves something behind, when the cause itself leaves nothing.

    Who opens a form, sends it and looks at the list has opened it as often as sent it, and costs cannot tell the two
    apart. That only the sending is written down, on the server or in the browser's storage, can.
    """
    cause = trial.pair.cause.label
    if added := max(trial.adds.values(), default=0):
        return cause if trial.adds.get(cause) == added else max(trial.adds, key=trial.adds.__getitem__)
    if trial.pair.itself or not trial.between:
        return cause
    leaving = {label(visit.event) for visit in trial.steps if writes(visit.effect)}
    suspects = sorted(trial.between & leaving)
    return suspects[0] if cause not in leaving and len(suspects) == 1 else cause
