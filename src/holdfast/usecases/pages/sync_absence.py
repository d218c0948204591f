"""Plan what a sync does about entries that are missing from the pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import Origin, Status
from holdfast.domain.pages.syncing import Absence, EntryOutcome, SyncStep, absent, are_too_many
from holdfast.usecases.pages import sync_words as words
from holdfast.usecases.pages.sync_plan import Planned

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.domain.memory.chains import Chain
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.ports.pages.files import Base
    from holdfast.usecases.pages.sync_plan import Sight

_SAID = {
    SyncStep.RESTORED: words.PUT_BACK,
    SyncStep.REMOVAL_PENDING: words.STILL_THERE,
    SyncStep.DEPRECATED: words.DEPRECATED,
}


def not_in_files(found: Sequence[Planned], seen: Sight) -> list[Planned]:
    """Decide about entries that the store or the last sync has and the pages lack."""
    there = {one.outcome.uid for one in found}
    there |= {one.chain.uid for one in found if one.chain is not None}
    missing = [
        (chain, version)
        for uid, chain in seen.register.chains.items()
        if uid not in there and chain.versions
        for version in [seen.shown(chain, None)]
        if seen.register.status(version, chain) is Status.ACCEPTED
    ]
    gone = sum(chain.uid in seen.bases for chain, _ in missing)
    is_mass = are_too_many(gone, len(seen.bases)) and not seen.accepts_removals
    return [_missing(chain, version, seen, is_mass=is_mass) for chain, version in missing]


def _missing(chain: Chain, version: MemoryRecord, seen: Sight, *, is_mass: bool) -> Planned:
    outcome = EntryOutcome(
        step=SyncStep.AGREED,
        uid=chain.uid,
        label=version.standing.label,
        claim=version.memory.claim,
        memory=version.memory.id,
    )
    plan = Planned(chain=chain, version=version, outcome=outcome, origin=seen.voice)
    base = seen.bases.get(chain.uid)
    if base is None:
        may = seen.register.may_show(version, chain)
        return plan.told(SyncStep.WRITTEN, words.WRITTEN) if may else plan.told(SyncStep.BEHIND)
    if seen.pages.flaws:
        return plan.told(SyncStep.BEHIND)  # it may be in a page that cannot be read
    gone = _gone(plan, base, chain, version, seen)
    # Entries that no commit had are restored, however many: an editor saved an old copy.
    if is_mass and gone.step in {SyncStep.DEPRECATED, SyncStep.REMOVAL_PENDING, SyncStep.ELSEWHERE}:
        return plan.told(SyncStep.REMOVAL_REFUSED, words.MASS)
    return gone


def _gone(plan: Planned, base: Base, chain: Chain, version: MemoryRecord, seen: Sight) -> Planned:
    """Decide about an agreed entry that is no longer in the pages."""
    step = absent(
        Absence(
            has_git=seen.committed is not None,
            is_committed=chain.uid in (seen.committed or {}),
            was_committed=base.head is not None,
            is_of_here=seen.register.here.owns(version),
        )
    )
    if step in {SyncStep.RESTORED, SyncStep.DEPRECATED} and seen.register.here.is_detached:
        return plan.told(SyncStep.BEHIND)
    if step is SyncStep.DEPRECATED and not seen.accepts_removals:
        return _removed(plan, base, seen)
    return plan.told(step, _SAID.get(step, ""))


def _removed(plan: Planned, base: Base, seen: Sight) -> Planned:
    """Decide by the origin whether a removal deprecates the memory or waits for a person."""
    if not base.is_removal_proposed and seen.voice is Origin.REPO:
        return plan.told(SyncStep.REMOVAL_PENDING, words.MERGE_FIRST)
    if base.is_removal_proposed or seen.voice is not Origin.HUMAN:
        return plan.told(SyncStep.REMOVAL_PROPOSED, words.REMOVED_BY_AGENT)
    return plan.told(SyncStep.DEPRECATED, words.DEPRECATED)
