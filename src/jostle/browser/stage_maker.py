"""Making the stage of a run: who listens at its gate, who answers there, and what becomes of what passes."""

from __future__ import annotations

from collections.abc import Callable, Collection

from jostle.browser.app_options import AppListeners, NetworkRules
from jostle.browser.chromium import Chromium
from jostle.browser.connection import Params
from jostle.browser.containment import no_way_out
from jostle.browser.dialog import OnDialog
from jostle.browser.editing import Editing
from jostle.browser.gate import Gate
from jostle.browser.journal import Journal
from jostle.browser.open_requests import NetworkListener
from jostle.browser.patience import Patience
from jostle.browser.responders import layered
from jostle.browser.rewriting import Rewriting
from jostle.browser.settings import TabSettings
from jostle.browser.signal import Signal
from jostle.browser.stage import Stage


class StageMaker:
    """Makes the stages of one application."""

    def __init__(
        self,
        chromium: Chromium,
        settings: TabSettings,
        network: NetworkRules,
        listeners: AppListeners,
        *,
        origins: Collection[str],
        may_open: Callable[[str], bool],
        turn: Callable[[str], Params],
        on_dialog: OnDialog,
    ) -> None:
        """`origins`: those of the application. `may_open` says whether a tab may show an address; `turn`
        gives what a page has to know of an event, by its key; `on_dialog` answers dialogs."""
        self._chromium = chromium
        self._settings = settings
        self._network = network
        self._listeners = listeners
        self._origins = origins
        self._reachable = self._network_of(origins)
        self._may_open = may_open
        self._turn = turn
        self._on_dialog = on_dialog
        self._patience = Patience()

    def _network_of(self, origins: Collection[str]) -> Params:
        """What a browser context is made with so that it reaches no server that it must not."""
        network = self._network
        if network.responder is not None and layered([network.responder]).offline:
            return no_way_out(())
        return no_way_out(origins) if network.block_third_party else {}

    def __call__(self) -> Stage:
        """One that is not set up yet."""
        network, signal, journal = self._network, Signal(), Journal()
        journal.on_limit = self._listeners.limit
        if network.rewriter is not None and self._settings.control.holds:
            journal.rewriting = Rewriting(network.rewriter, journal.limit)
        gate = Gate(
            self._settings.control,
            NetworkListener(
                exchanged=self._listeners.exchange, delivered=journal.delivered, limit=journal.limit, changed=signal
            ),
            may_open=self._may_open,
            origins=self._origins,
            block_third_party=network.block_third_party,
            responder=network.responder,
            editing=Editing(network.fences, journal.rewriting),
            patience=self._patience,
        )
        return Stage(
            self._chromium,
            gate=gate,
            journal=journal,
            settings=self._settings,
            signal=signal,
            on_dialog=self._on_dialog,
            turn=self._turn,
            reachable=self._reachable,
        )
