"""Whether the server kept to its described interface while a finding was shown."""

from __future__ import annotations

import msgspec


class OutsideContract(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A response that the description does not allow, or a request that it knows nothing of."""

    request: str
    """Method, path and query."""
    operation: str = ""
    """The pattern of the operation; empty where no operation is for the request."""
    status: int = 0
    """Of the response; 0: there was none."""
    what: str
    """What is wrong, in words."""
    on_purpose: bool = False
    """A fault that the mock was asked for."""


class Contract(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the run that shows a finding has to do with a description of the server."""

    description: str
    """The name of its file."""
    requests: int
    """To the described server."""
    outside: tuple[OutsideContract, ...] = ()
    """Empty: all responses were as described."""

    @property
    def kept(self) -> bool:
        return not self.outside

    @property
    def words(self) -> str:
        """For people: what it means for the finding."""
        if self.kept:
            return f"Inside the contract: every response was as {self.description} describes it"
        first = self.outside[0]
        more = f", and {len(self.outside) - 1} more" if len(self.outside) > 1 else ""
        purpose = " (a fault, on purpose)" if first.on_purpose else ""
        return f"Outside the contract of {self.description}: {first.request}: {first.what}{purpose}{more}"
