"""Looking for the repair of one race: policies are tried, the least intrusive first, until one keeps the effect away in
every order and breaks nothing."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import msgspec

from jostle.browser.chromium import Chromium
from jostle.browser.connection import NoAnswer, ProtocolError
from jostle.browser.rest import Hung
from jostle.errors import ApplicationProblem
from jostle.findings.evidence import Repair, RepairOutcome, TriedPolicy, VerifiedOrder
from jostle.oracles.outcome import noise_between
from jostle.progress import Listener, Stepped, silent
from jostle.repair.candidates import Candidate, candidates
from jostle.repair.hints import fix_of
from jostle.repair.orders import TriedOrder, orders_of, without_second
from jostle.repair.policy import Policy
from jostle.repair.reasons import hopeless, why_none
from jostle.repair.script import script_of
from jostle.repair.stage import Ended, RepairStage
from jostle.repair.verdict import Baseline, failure, shows_race, verified
from jostle.repair.witness import Witness

_NO_TIME = "the time was up"
_IN_VAIN = "The policy does not prevent it."


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """What came of looking for the repair of one race."""

    witness: Witness
    repair: Repair
    policy: Policy | None = None
    before: Ended | None = None
    after: Ended | None = None
    """The bad order without and with the repair, recorded."""
    drops: bool = False
    """With it, the bad order ends as if the second action had not been done."""


class RepairSearch:
    """For the races of one run, in one browser."""

    def __init__(
        self,
        chromium: Chromium,
        *,
        live: bool = False,
        listener: Listener = silent,
        deadline: float | None = None,
        policy: Policy | None = None,
        on_limit: Callable[[str], None] = lambda words: None,
    ) -> None:
        """`live`: what the recordings do not know, the server is asked for. `deadline`: by `time.monotonic`.
        `policy`: the only one that is tried, on whatever race."""
        self._chromium = chromium
        self._live = live
        self._listener = listener
        self._deadline = deadline
        self._policy = policy
        self._on_limit = on_limit
        self.runs = 0
        """Of pages, so far."""

    async def repaired(self, witness: Witness) -> Found:
        """Try to repair a race. What cannot be done is said in the repair, not raised."""
        fix = fix_of(witness)
        if (why := hopeless(witness)) and self._policy is None:
            return Found(witness=witness, repair=Repair(outcome=RepairOutcome.IMPOSSIBLE, why=why, fix=fix))
        if self._over:
            return Found(witness=witness, repair=Repair(outcome=RepairOutcome.NOT_TRIED, why=_NO_TIME, fix=fix))
        try:
            baseline = await self._baseline(witness)
        except (Hung, NoAnswer, ProtocolError, ApplicationProblem) as problem:
            why = f"its recording cannot be replayed: {problem}"
            return Found(witness=witness, repair=Repair(outcome=RepairOutcome.NOT_TRIED, why=why, fix=fix))
        if why := shows_race(baseline):
            return Found(witness=witness, repair=Repair(outcome=RepairOutcome.NOT_TRIED, why=why, fix=fix))
        tried: list[TriedPolicy] = []
        given = [Candidate(policy=self._policy, general=True)] if self._policy is not None else None
        for candidate in given or candidates(witness):
            if self._over:
                why = f"{_NO_TIME}: not all policies were tried"
                repair = Repair(outcome=RepairOutcome.NOT_TRIED, why=why, tried=tuple(tried), fix=fix)
                return Found(witness=witness, repair=repair)
            orders = await self._tried(baseline, candidate)
            self._listener(Stepped(done=len(tried) + 1, what=candidate.policy.name))
            if isinstance(orders, str):
                tried.append(TriedPolicy(policy=candidate.policy.name, why=orders))
                continue
            return await self._shown(baseline, candidate, orders, tried)
        repair = Repair(
            outcome=RepairOutcome.NOT_FOUND, why=_IN_VAIN if given else why_none(witness), tried=tuple(tried), fix=fix
        )
        return Found(witness=witness, repair=repair)

    async def holds(self, found: Found, policy: Policy) -> str:
        """Why another policy, one that does the same and more, does not keep this race away; empty when it does."""
        try:
            baseline = await self._baseline(found.witness)
            orders = await self._tried(baseline, Candidate(policy=policy), others=False)
        except (Hung, NoAnswer, ProtocolError, ApplicationProblem) as problem:
            return str(problem)
        return orders if isinstance(orders, str) else ""

    @property
    def _over(self) -> bool:
        return self._deadline is not None and time.monotonic() > self._deadline

    async def _baseline(self, witness: Witness) -> Baseline:
        """The page as it is: the good order twice, for what differs by itself, and the bad one."""
        bad, good, others = orders_of(witness)
        alone = without_second(witness)
        stage = RepairStage(self._chromium, witness, live=self._live, on_limit=self._on_limit)
        try:
            first, second = await self._run(stage, good), await self._run(stage, good)
            ended = await self._run(stage, bad)
            baseline = Baseline(
                witness=witness,
                good=second,
                bad=ended,
                noise=noise_between(first.outcome, second.outcome),
            )
            if shows_race(baseline):
                return baseline
            return msgspec.structs.replace(
                baseline,
                alone=await self._run(stage, alone) if alone is not None else None,
                others={each.name: await self._run(stage, each) for each in others},
            )
        finally:
            await stage.close()

    async def _tried(
        self, baseline: Baseline, candidate: Candidate, *, others: bool = True
    ) -> tuple[VerifiedOrder, ...] | str:
        """The orders in which the policy works, or why it does not."""
        bad, good, more = orders_of(baseline.witness)
        stage = self._stage(baseline.witness, candidate.policy)
        found: list[VerifiedOrder] = []
        try:
            for order in (bad, good, *(more if others else ())):
                ended = await self._run(stage, order)
                if why := failure(baseline, order, ended):
                    return why
                found.append(verified(baseline, order, ended, _without(baseline, order, bad)))
        except (Hung, NoAnswer, ProtocolError, ApplicationProblem) as problem:
            return f"the page does not get on with it: {problem}"
        finally:
            await stage.close()
        return tuple(found)

    async def _shown(
        self, baseline: Baseline, candidate: Candidate, orders: tuple[VerifiedOrder, ...], tried: Sequence[TriedPolicy]
    ) -> Found:
        """The bad order once more without the repair and with it, recorded for people to see."""
        witness, policy = baseline.witness, candidate.policy
        bad, _, _ = orders_of(witness)
        ended = []
        for stage in (
            RepairStage(self._chromium, witness, live=self._live, on_limit=self._on_limit),
            self._stage(witness, policy),
        ):
            try:
                ended.append(await self._run(stage, bad, recorded=True))
            finally:
                await stage.close()
        before, after = ended
        if why := failure(baseline, bad, after):
            again = TriedPolicy(policy=policy.name, why=f"it did not help a second time: {why}")
            why = f"{policy.name} helped once and not again"
            repair = Repair(outcome=RepairOutcome.NOT_FOUND, why=why, tried=(*tried, again), fix=fix_of(witness))
            return Found(witness=witness, repair=repair)
        repair = Repair(
            outcome=RepairOutcome.PREVENTED,
            policy=policy.name,
            explanation=policy.explanation,
            general=candidate.general,
            definition=msgspec.to_builtins(policy),
            orders=orders,
            tried=tuple(tried),
            fix=fix_of(witness),
        )
        return Found(
            witness=witness,
            repair=repair,
            policy=policy,
            before=before,
            after=after,
            drops=bool(baseline.effect(after)),
        )

    def _stage(self, witness: Witness, policy: Policy) -> RepairStage:
        return RepairStage(self._chromium, witness, script_of(policy), live=self._live, on_limit=self._on_limit)

    async def _run(self, stage: RepairStage, order: TriedOrder, *, recorded: bool = False) -> Ended:
        self.runs += 1
        return await stage.run(order, recorded=recorded)


def _without(baseline: Baseline, order: TriedOrder, bad: TriedOrder) -> Ended | None:
    """The same order without a repair."""
    if order.name == bad.name:
        return baseline.bad
    return baseline.others.get(order.name, baseline.good)
