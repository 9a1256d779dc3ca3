"""At which moment the gate stops what passes over the network."""

from __future__ import annotations

from enum import Enum

from jostle.browser import fence
from jostle.browser.connection import Params
from jostle.browser.containment import UNANSWERED
from jostle.browser.settings import Control


class Interception(Enum):
    """What is stopped at the gate, fixed for a run."""

    REQUESTS = "requests"
    """Requests before they are sent: responders answer them."""
    RESPONSES = "responses"
    """Responses when the server has given them, until their turn comes."""
    DOCUMENTS = "documents"
    """The same for documents only; everything else flows."""
    KEEPING = "keeping"
    """Documents until their turn comes; all other responses to be seen, and let go at once."""
    PASSING = "passing"
    """Responses, to be seen; they are let go at once."""

    @staticmethod
    def under(control: Control, *, responders: bool = False, rewriting: bool = False) -> Interception:
        """What has to be stopped. `responders`: the server is not the only one to answer; `rewriting`: everything has
        to pass through our hands."""
        if responders:
            return Interception.REQUESTS
        if not control.holds:
            return Interception.PASSING
        flowing = {Control.FLOWING: Interception.DOCUMENTS, Control.KEEPING: Interception.KEEPING}
        return Interception.RESPONSES if rewriting else flowing.get(control, Interception.RESPONSES)

    @property
    def flows(self) -> bool:
        """Whether what is no document gets to the page when it comes."""
        return self in (Interception.DOCUMENTS, Interception.KEEPING)

    def patterns(self, *, every_request: bool = False) -> list[Params]:
        """What the Fetch domain has to stop. `every_request`: also those that are only let on, to be looked at."""
        requests: Params = {"urlPattern": "*", "requestStage": "Request"}
        responses: Params = {"urlPattern": "*", "requestStage": "Response"}
        match self:
            case Interception.REQUESTS:
                return [requests]
            case Interception.DOCUMENTS | Interception.KEEPING:
                # Only what is stopped when it is sent can be kept from asking for a user name and a password.
                sent = [{**requests, "resourceType": each} for each in ("Document", "XHR", "Fetch", *UNANSWERED)]
                seen = responses if self is Interception.KEEPING else {**responses, "resourceType": "Document"}
                return [seen, *([requests] if every_request else sent)]
        return [
            responses,
            requests if self is Interception.RESPONSES else {**requests, "resourceType": "Document"},
            {"urlPattern": f"*{fence.PATH}*", "requestStage": "Request"},
        ]
