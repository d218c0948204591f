"""Decide what a sync does with one entry of the pages; nothing is changed yet."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from holdfast.domain.choices import LIVE, LinkKind, Origin, Status
from holdfast.domain.memory.link import stands
from holdfast.domain.memory.statement import statement_form
from holdfast.domain.pages import sync_messages as messages
from holdfast.domain.pages.page_entry import is_from_page, is_private, is_uid, with_key_of
from holdfast.domain.pages.syncing import EntryDigests, EntryOutcome, SyncStep, three_way
from holdfast.domain.values import dataclass, replace
from holdfast.usecases.pages.sync.plan_input import versions_since
from holdfast.usecases.pages.sync.read import replaced_lately

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from holdfast.domain.memory.entry import PlacedEntry
    from holdfast.domain.memory.link import Chain
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.usecases.pages.sync.plan_input import PlanInput
    from holdfast.usecases.pages.sync.read import StoreState

    KnownTexts = Mapping[tuple[str, str], Sequence[tuple[Chain, MemoryRecord]]]

Part = TypeVar("Part")


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """One entry, the planned step, and what the step needs.

    ``version`` is the memory that the pages should show, ``candidate`` one that waits beside it.
    If the file's text is taken in, ``origin`` is its origin. ``is_standing`` says that only the
    status of the memory changed.
    """

    outcome: EntryOutcome
    placed: PlacedEntry | None = None
    chain: Chain | None = None
    version: MemoryRecord | None = None
    candidate: MemoryRecord | None = None
    origin: Origin
    is_standing: bool = False
    is_unkeyed: bool = False
    """The last agreement was made before pages had keys and expiries."""
    label: str | None = None
    status: Status | None = None
    """The status to write to the page, if it is not that of the version."""
    twin: MemoryRecord | None = None
    """A waiting copy of the entry, which needs no decision any more."""

    @property
    def step(self) -> SyncStep:
        """The planned step."""
        return self.outcome.step

    @property
    def is_split(self) -> bool:
        """Tell whether two versions are accepted side by side and the page chooses one."""
        heads = () if self.chain is None else self.chain.heads
        return len(heads) > 1 and self.version in heads

    def with_step(self, step: SyncStep, words: str = "", *, proof: str | None = None) -> Planned:
        """Return the same entry with another step."""
        return replace(self, outcome=replace(self.outcome, step=step, words=words, proof=proof))

    def rewritten(self, version: MemoryRecord, words: str) -> Planned:
        """Return the same entry with the store's text, to be written to the page."""
        plan = self.with_step(SyncStep.WRITTEN, words)
        return replace(plan, outcome=replace(plan.outcome, claim=version.memory.claim, before=""))

    def forgotten(self, words: str) -> Planned:
        """Return the same entry as one with a forgotten text, which is not shown."""
        plan = self.with_step(SyncStep.FORGOTTEN, words)
        return replace(plan, outcome=replace(plan.outcome, claim="", before=""))

    def accepted(self, origin: Origin, words: str) -> Planned:
        """Return the same entry with its text taken in and accepted, with this origin."""
        outcome = replace(self.outcome, step=SyncStep.TAKEN, words=words, proof=None)
        return replace(self, outcome=outcome, origin=origin)

    def compared_with(self, version: MemoryRecord) -> Planned:
        """Return the same entry with the version that the pages should show."""
        outcome = replace(self.outcome, before=version.memory.claim, memory=version.memory.id)
        return replace(self, version=version, outcome=outcome)


def certain(part: Part | None) -> Part:
    """Return a part that a plan for this step always has."""
    if part is None:
        raise TypeError
    return part


def proof_of(placed: PlacedEntry) -> str:
    """Return the proof of exactly one text of one entry, for a person to accept."""
    return f"{placed.entry.uid or ''}:{placed.entry.digest}"


def decide_entries(given: PlanInput) -> list[Planned]:
    """Decide about every entry of the pages."""
    known_texts = _texts_without_entry(given)
    return [_decide(placed, given, known_texts) for placed in given.local.pages.entries]


def _texts_without_entry(given: PlanInput) -> KnownTexts:
    """Return the memories that are not in the pages, by kind and words; only if needed."""
    found: dict[tuple[str, str], list[tuple[Chain, MemoryRecord]]] = {}
    there = {one.entry.uid for one in given.local.pages.entries}
    if None not in there:
        return found
    for chain in given.stored.chains.values():
        for head in chain.heads if chain.uid not in there else ():
            key = (head.memory.kind.value, statement_form(head.memory.claim))
            found.setdefault(key, []).append((chain, head))
    return found


def _decide(placed: PlacedEntry, given: PlanInput, known_texts: KnownTexts) -> Planned:
    entry, uid, stored = placed.entry, placed.entry.uid, given.stored
    chain = None if uid is None else stored.chains.get(uid)
    plan = Planned(
        placed=placed,
        chain=chain,
        origin=given.voice,
        outcome=EntryOutcome(
            step=SyncStep.AGREED,
            uid=uid,
            label=entry.label,
            claim=entry.body.strip("\n"),
            path=placed.path,
            line=placed.line,
            entry=entry,
        ),
    )
    if words := _refusal(placed, stored):
        # A corrected entry keeps its author, so the author of a refused one is noted too.
        refused = plan.with_step(SyncStep.REFUSED, words)
        return replace(refused, origin=given.origin_of(placed))
    if uid is None:
        name = (entry.kind.value, statement_form(entry.body)) if known_texts else ("", "")
        return _without_uid(plan, placed, given, known_texts.get(name, ()))
    if uid in stored.forgotten:
        return plan.forgotten(messages.FORGOTTEN)
    if chain is not None:
        return _known(plan, placed, chain, given)
    return _new_text(plan, placed, given)


def _refusal(placed: PlacedEntry, stored: StoreState) -> str | None:
    """Return why an entry cannot be an entry of these pages; None if it can."""
    uid = placed.entry.uid
    if is_private(placed.entry.tags):
        return messages.PRIVATE
    if uid is None or uid in stored.forgotten or uid in stored.chains:
        return None
    if owner := stored.owners.get(uid):
        return messages.LATER_VERSION.format(owner=owner)
    if uid in stored.foreign or not is_uid(uid):
        return messages.FOREIGN_UID.format(uid=uid[:64])
    return None


def _without_uid(
    plan: Planned, placed: PlacedEntry, given: PlanInput, same: Iterable[tuple[Chain, MemoryRecord]]
) -> Planned:
    """Decide about an entry that was written by hand and has no uid yet.

    A text that was read from a page as a proposal stays one, no matter who syncs next.
    """
    for chain, head in same:
        is_proposal = given.origin_of(placed) is not Origin.HUMAN or is_from_page(head)
        match head.standing.status:
            case Status.ACCEPTED if given.stored.may_show(head, chain):
                known = replace(plan, chain=chain, version=head)
                return known.rewritten(head, messages.ALREADY_STORED)
            case Status.CANDIDATE if is_proposal:
                return _waiting(plan, placed, head, given)
            case Status.REJECTED if is_proposal:
                return plan.with_step(SyncStep.BEHIND, messages.REJECTED)
            case _:
                continue
    return _new_text(plan, placed, given)


def _known(plan: Planned, placed: PlacedEntry, chain: Chain, given: PlanInput) -> Planned:
    """Decide about an entry whose memory is in the store."""
    is_undone = given.is_undone(placed, chain)
    for kind, candidate in given.stored.proposals.get(chain.uid, ()):
        if not is_undone and given.stored.may_be_from(placed.entry, candidate):
            if candidate.standing.status is Status.CANDIDATE and given.is_settled(placed, chain):
                plan = replace(plan, twin=candidate)
                break
            return _proposed_before(plan, placed, chain, given, (kind, candidate))
    if not chain.versions:
        return _on_other_branches(plan, placed, chain, given)
    version = given.shown(chain, placed)
    if is_undone and not stands(version) and given.stored.may_show(version, chain):
        is_kept = given.has_own_lines(placed, chain)
        step = SyncStep.WAITING if is_kept else SyncStep.TAKEN_OUT
        return plan.with_step(step, messages.NOT_TAKEN_OUT if is_kept else messages.TAKEN_OUT)
    plan = plan.compared_with(version)
    if version.standing.status is Status.CANDIDATE:
        return _candidate(plan, placed, version, given)
    if given.is_forgotten(placed):
        return _forgotten_text(plan, placed, chain, version, given)
    return _compared(plan, placed, chain, version, given)


def _candidate(
    plan: Planned, placed: PlacedEntry, version: MemoryRecord, given: PlanInput
) -> Planned:
    """Decide about an entry whose memory is a candidate; another text is a new proposal."""
    if given.is_ended_by_us(placed):  # by a decision that was undone
        return replace(plan.rewritten(version, messages.WRITTEN), status=Status.ACCEPTED)
    if given.stored.has_content_of(placed.entry, version):
        return _waiting(plan, placed, version, given)
    return _new_text(plan, placed, given)


def _compared(
    plan: Planned, placed: PlacedEntry, chain: Chain, version: MemoryRecord, given: PlanInput
) -> Planned:
    """Decide by who changed the entry since the last sync."""
    stored, base = given.stored, given.local.bases.get(chain.uid)
    status, entry = stored.status(version, chain), placed.entry
    noted = {placed.entry.digest, *(() if base is None else (base.digest,))}
    store = stored.digest_in(noted, version, status)
    if store == placed.entry.digest:
        return plan
    if base is not None and base.digest in stored.unkeyed_digests([version], status):
        # The missing key is no edit: a page that nobody changed gets it, an edited one keeps it.
        plan, entry = replace(plan, is_unkeyed=True), with_key_of(version.memory, entry)
        store = store if placed.entry.digest == base.digest else base.digest
    replaced = () if base is None else replaced_lately(base, stored.at)
    step = three_way(
        EntryDigests(
            base=given.agreed_digest(chain.uid, store=store, status=status),
            file=placed.entry.digest,
            store=store,
            earlier=stored.accepted_digests(chain.versions, noted),
            since=stored.accepted_digests(versions_since(base, chain), noted),
            replaced=replaced,
            is_committed=given.local.is_committed(placed),
        )
    )
    match step:
        case SyncStep.WRITTEN:
            why = messages.OLD_COPY if placed.entry.digest in replaced else messages.WRITTEN
            kept = _unwritten(plan, placed, chain, version, given)
            return plan.rewritten(version, why) if kept is None else kept
        case SyncStep.CONFLICT:
            plan = plan.with_step(step, messages.BOTH_CHANGED_DRY)
            return replace(plan, origin=given.origin_of(placed))
        case _ if stored.has_content_of(replace(entry, status=status), version):
            return _new_status(replace(plan, is_standing=True), placed, given)
        case _:
            return _new_text(plan, placed, given)


def _unwritten(
    plan: Planned, placed: PlacedEntry, chain: Chain, version: MemoryRecord, given: PlanInput
) -> Planned | None:
    """Return the plan for an agreed entry that stays, though the store shows another version."""
    if (known := given.arrived(placed, chain)) is not None:
        return plan.accepted(known.memory.origin, messages.OTHER_BRANCH)
    return None if given.stored.may_show(version, chain) else plan.with_step(SyncStep.BEHIND)


def _forgotten_text(
    plan: Planned, placed: PlacedEntry, chain: Chain, version: MemoryRecord, given: PlanInput
) -> Planned:
    """Decide about an entry that has a forgotten text of a memory whose other versions stay.

    Git brings such a text back with a checkout. What a person typed is left to that person.
    """
    local = given.local
    is_typed = not (local.is_committed(placed) or local.is_unchanged(placed.entry))
    is_live = given.stored.status(version, chain) is Status.ACCEPTED
    if is_typed or not is_live or local.checkout.is_detached:
        return plan.forgotten(messages.FORGOTTEN_TEXT)
    return plan.rewritten(version, messages.FORGOTTEN_REPLACED)


def _new_status(plan: Planned, placed: PlacedEntry, given: PlanInput) -> Planned:
    """Decide about an entry with known text and a changed status."""
    status, origin = placed.entry.status.value, given.origin_of(placed)
    if origin is Origin.HUMAN or proof_of(placed) in given.trusted:
        return plan.accepted(origin, messages.STATUS.format(status=status))
    if origin is Origin.REPO:
        words = messages.STATUS_FROM_GIT.format(status=status)
        return plan.with_step(SyncStep.WAITING, words, proof=proof_of(placed))
    if plan.is_standing and given.accepts_removals:
        return plan.accepted(origin, messages.STATUS.format(status=status))
    words = messages.STATUS_BY_AGENT if plan.is_standing else messages.TEXT_AND_STATUS_BY_AGENT
    waiting = plan.with_step(SyncStep.WAITING, words.format(status=status))
    return replace(waiting, origin=origin)


def _proposed_before(
    plan: Planned,
    placed: PlacedEntry,
    chain: Chain,
    given: PlanInput,
    proposal: tuple[str, MemoryRecord],
) -> Planned:
    """Decide about a text that was already proposed as a replacement."""
    kind, candidate = proposal
    is_rejected = candidate.standing.status is Status.REJECTED
    if not chain.versions:
        if is_rejected:
            return plan.with_step(SyncStep.BEHIND)
        return _waiting(plan, placed, candidate, given)
    version = given.shown(chain, None)
    plan = replace(plan.compared_with(version), candidate=candidate)
    if is_rejected and given.stored.may_show(version, chain):
        return plan.rewritten(version, messages.TEXT_REJECTED)
    if is_rejected:
        return plan.with_step(SyncStep.BEHIND, messages.TEXT_REJECTED)
    if kind == LinkKind.SUPERSEDES:
        return _waiting(plan, placed, candidate, given)
    words = messages.BOTH_CHANGED.format(candidate=candidate.memory.id, id=version.memory.id)
    return plan.with_step(SyncStep.CONFLICT, words)


def _waiting(
    plan: Planned, placed: PlacedEntry, candidate: MemoryRecord, given: PlanInput
) -> Planned:
    """Let a candidate wait, or accept it if a person was shown exactly this text."""
    proof, name = proof_of(placed), candidate.memory.id
    outcome = replace(plan.outcome, memory=name)
    plan = replace(plan, candidate=candidate, origin=candidate.memory.origin, outcome=outcome)
    is_from_git = candidate.memory.origin is Origin.REPO
    if is_from_git and proof in given.trusted:
        return plan.accepted(Origin.REPO, messages.ACCEPTED)
    if candidate.standing.status is Status.CANDIDATE and placed.entry.status not in LIVE:
        words = messages.WITHDRAWN.format(status=placed.entry.status.value)
        return replace(plan.with_step(SyncStep.DEPRECATED, words), version=candidate)
    is_asked = is_from_git and candidate.standing.status is Status.CANDIDATE
    words = messages.WAITS.format(id=name)
    return plan.with_step(SyncStep.WAITING, words, proof=proof if is_asked else None)


def _on_other_branches(
    plan: Planned, placed: PlacedEntry, chain: Chain, given: PlanInput
) -> Planned:
    """Decide about an entry whose memory is visible on other branches only."""
    same = [one for one in chain.hidden if given.stored.has_content_of(placed.entry, one)]
    if not same:
        return _new_text(plan, placed, given)
    known = same[-1]
    if known.standing.status is Status.REJECTED:
        return plan.with_step(SyncStep.BEHIND, messages.REJECTED)
    if not given.local.is_committed(placed) or known.standing.status is Status.CANDIDATE:
        return plan.with_step(SyncStep.ELSEWHERE, messages.OTHER_BRANCH)
    if placed.entry.status not in {Status.ACCEPTED, known.standing.status}:
        return _new_status(plan, placed, given)
    return plan.accepted(known.memory.origin, messages.OTHER_BRANCH)


def _new_text(plan: Planned, placed: PlacedEntry, given: PlanInput) -> Planned:
    """Decide by the origin whether a new text is accepted or waits."""
    pages = given.local.pages
    if given.is_forgotten(placed):
        return plan.forgotten(messages.FORGOTTEN_TEXT)
    if plan.chain is None and (problem := pages.unsure_of_forgotten):
        return plan.with_step(SyncStep.REFUSED, messages.MAY_BE_FORGOTTEN.format(problem=problem))
    origin, proof = given.origin_of(placed), proof_of(placed)
    if origin is Origin.HUMAN:
        words = messages.NEW if placed.entry.uid is None else messages.TAKEN
        return plan.accepted(origin, words)
    if origin is Origin.REPO and proof in given.trusted:
        return plan.accepted(origin, messages.ACCEPTED)
    if placed.entry.status not in LIVE:
        return _ended(plan, placed, given, origin)
    return _proposed(plan, placed, given, origin)


def _proposed(plan: Planned, placed: PlacedEntry, given: PlanInput, origin: Origin) -> Planned:
    """Let a new text wait; a merge in progress asks nobody about what its branch accepted."""
    if given.local.is_merging and given.is_on_branch(placed, plan.chain):
        return plan.with_step(SyncStep.ELSEWHERE, messages.OTHER_BRANCH)
    proof = proof_of(placed)
    is_from_git = origin is Origin.REPO
    words, shown = (messages.FROM_GIT, proof) if is_from_git else (messages.BY_AGENT, None)
    return replace(plan.with_step(SyncStep.PROPOSED, words, proof=shown), origin=origin)


def _ended(plan: Planned, placed: PlacedEntry, given: PlanInput, origin: Origin) -> Planned:
    """Decide about a new text whose status is no longer live; it is never proposed as live.

    A text that the store does not have is left alone; ``trust`` stores it with its status.
    """
    if plan.chain is not None or origin is not Origin.REPO:
        return _new_status(plan, placed, given)
    words = messages.ENDED.format(status=placed.entry.status.value)
    return plan.with_step(SyncStep.BEHIND, words, proof=proof_of(placed))
