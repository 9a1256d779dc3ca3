"""What an exploration observed, for other searches to begin with."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from jostle.errors import UsageProblem
from jostle.events import merge
from jostle.model.exploration import Exploration
from jostle.model.machine import Machine
from jostle.model.reaction import Reaction
from jostle.model.visit import Visit


class Observations(msgspec.Struct, kw_only=True):
    """Grows while the exploration goes on."""

    exploration: Exploration = msgspec.field(default_factory=Exploration)
    reactions: list[Reaction] = []
    """What each event of the user led to, event by event; one for each visit."""

    def visits(self) -> Iterator[Visit]:
        """The visits with everything that they changed, which the exploration itself does not keep."""
        for visit, reaction in zip(self.exploration.visits, self.reactions, strict=False):
            yield msgspec.structs.replace(visit, effect=merge(reaction.steps))

    def to_json(self) -> bytes:
        return msgspec.json.encode(
            _File(
                machine=msgspec.Raw(self.exploration.machine.to_json()),
                visits=self.exploration.visits,
                runs=self.exploration.runs,
                ended=self.exploration.ended,
                reactions=self.reactions,
            )
        )

    @classmethod
    def from_json(cls, text: bytes) -> Observations:
        """Raises UsageProblem."""
        try:
            file = msgspec.json.decode(text, type=_File)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise UsageProblem(f"The observations of an exploration cannot be read: {error}.") from None
        machine = Machine.from_json(bytes(file.machine))
        exploration = Exploration(machine=machine, visits=file.visits, runs=file.runs, ended=file.ended)
        return cls(exploration=exploration, reactions=file.reactions)


class _File(msgspec.Struct, kw_only=True):
    machine: msgspec.Raw
    visits: list[Visit]
    runs: int
    ended: str
    reactions: list[Reaction]
