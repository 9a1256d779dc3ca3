"""Races while a page loads, as one of the techniques."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from urllib.parse import urlunsplit

import msgspec

from jostle.addresses import split_url
from jostle.browser.chromium_app import ChromiumApp
from jostle.model.visit import Visit
from jostle.races.loading.pages import Pages, arrived
from jostle.races.loading.search import LoadRaceOptions, LoadRaceSearch
from jostle.races.loading.told import NAME
from jostle.races.page import races_page
from jostle.races.report.searches import LOADING
from jostle.races.report.technique import LOADING as REPORTED
from jostle.recording.login import StorageState, storage_state
from jostle.search.job import Job
from jostle.search.technique import CheckSettings, InCheck, Proposal, Proposer, SearchOutcome, Technique


class _Proposer(Proposer):
    """Proposes the first page, and each page that is met on the way and worth it, as who was logged in there."""

    def __init__(self, settings: CheckSettings) -> None:
        self._settings = settings
        self._pages = Pages(settings.url)
        self._proposed: set[str] = set()

    def begin(self, recordings: Sequence[str]) -> Iterable[Proposal]:
        yield from self._propose(self._settings.url, rank=1.0)

    async def visited(self, visit: Visit, app: ChromiumApp) -> Iterable[Proposal]:
        page = arrived(visit)
        if page is None or (rank := self._pages.rank(page)) is None:
            return ()
        state = None
        if not self._settings.resets:  # else nobody may be known any more
            state = await storage_state(app)
        return self._propose(page.url, rank=2.0 + rank, state=state)

    def _propose(self, url: str, *, rank: float, state: StorageState | None = None) -> list[Proposal]:
        parts = split_url(url)
        name = f"{NAME} {urlunsplit(('', '', parts.path or '/', parts.query, ''))}"
        if name in self._proposed:  # addresses that differ in their fragment are one page
            return []
        self._proposed.add(name)
        files = {}
        if state is not None and (state.cookies or state.origins):
            content = msgspec.json.encode(state)
            files[f"state-{hashlib.sha256(content).hexdigest()[:8]}.json"] = content
        job = Job.of(
            NAME,
            url,
            LoadRaceOptions(avoid=self._settings.avoid, allow=self._settings.allow),
            seed=self._settings.seed,
            storage_state=next(iter(files), ""),
        )
        return [Proposal(name=name, rank=rank, job=job, files=files)]


def _page(outcome: SearchOutcome) -> str:
    return races_page(LOADING, outcome)


TECHNIQUE = Technique(
    name=NAME,
    option="init",
    report=REPORTED,
    opens=LoadRaceSearch,
    page=_page,
    in_check=InCheck(weight=3.0, proposer=_Proposer),
)
