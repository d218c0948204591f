"""Plan what a sync does with every entry of the pages, before anything is changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from holdfast.domain.choices import LinkKind, Origin, Status, least_trusted
from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.chains import stands
from holdfast.domain.memory.selection import near_form
from holdfast.domain.pages.page_entry import PAGE, is_uid
from holdfast.domain.pages.syncing import EntryOutcome, Sights, SyncStep, three_way
from holdfast.domain.values import dataclass, replace
from holdfast.usecases.pages import sync_words as words

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from datetime import datetime

    from holdfast.domain.memory.chains import Chain
    from holdfast.domain.memory.entry import Pages, PlacedEntry
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.ports.pages.files import Base
    from holdfast.usecases.pages.sync_register import Register

    Said = dict[tuple[str, str], list[tuple[Chain, MemoryRecord]]]

Part = TypeVar("Part")
_EDITOR_SECONDS = 3_600
"""How long an editor may hold a page that it loaded before our write."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """Everything a plan is based on: the pages, the last commit, the last agreement, the store.

    ``voice`` is the origin of uncommitted edits; ``trusted`` are the proofs of entries that a
    person was shown and accepts. ``forgotten`` and ``foreign`` are ids in the pages that belong to
    forgotten memories, or to memories of other places.
    """

    pages: Pages
    committed: Mapping[MemoryId, frozenset[str]] | None
    bases: Mapping[MemoryId, Base]
    register: Register
    voice: Origin
    trusted: frozenset[str] = frozenset()
    forgotten: frozenset[MemoryId] = frozenset()
    foreign: frozenset[MemoryId] = frozenset()
    accepts_removals: bool = False
    mine: frozenset[str] = frozenset()
    """Commits since which the pages were changed only in this clone."""
    unedited: frozenset[str] = frozenset()
    """Pages whose text equals the last commit's."""
    brought: frozenset[str] = frozenset()
    """Lines of the pages that are in commits not made in this clone."""

    def is_committed(self, placed: PlacedEntry) -> bool:
        """Tell whether the last commit has the entry as the file has it."""
        entry = placed.entry
        name = entry.uid or MemoryId(entry.digest)
        digests = (self.committed or {}).get(name, frozenset())
        return entry.digest in digests or placed.path in self.unedited

    def is_brought(self, placed: PlacedEntry) -> bool:
        """Tell whether an entry contains only text that came with git and was never accepted."""
        lines = lines_said(placed)
        return bool(lines) and lines <= self.brought and not self._is_accepted_here(placed)

    def _is_accepted_here(self, placed: PlacedEntry) -> bool:
        """Tell whether a memory of this entry with the same text was accepted in this store."""
        chain = self.register.chains.get(placed.entry.uid or MemoryId(""))
        known = () if chain is None else (*chain.versions, *chain.hidden)
        said = placed.entry.body.strip()
        return any(stands(one) and one.memory.claim.strip() == said for one in known)

    def voice_of(self, placed: PlacedEntry) -> Origin:
        """Return the origin of an entry: committed text may be anybody's.

        The exception is that every commit since the last sync was made in this clone. Text that
        was taken from others' commits without a merge still counts as theirs. Text that Holdfast
        wrote for another store of this clone keeps the origin that it was written with.
        """
        written = self.pages.written.get(placed.entry.digest)
        if written is None or self._is_accepted_here(placed):
            return self._voice_by_git(placed)
        return least_trusted([written, self._voice_by_git(placed)])

    def _voice_by_git(self, placed: PlacedEntry) -> Origin:
        if self.voice is Origin.HUMAN and self.is_brought(placed):
            return Origin.REPO
        if not self.is_committed(placed):
            return self.voice
        uid = placed.entry.uid
        base = None if uid is None else self.bases.get(uid)
        if base is not None:
            return self.voice if base.at in self.mine else Origin.REPO
        heads = {one.at for one in self.bases.values()} if self.mine else set()
        return self.voice if heads and heads <= self.mine else Origin.REPO

    def shown(self, chain: Chain, placed: PlacedEntry | None) -> MemoryRecord:
        """Return the version that the pages of this branch should show."""
        base = self.bases.get(chain.uid)
        return self.register.shown(
            chain,
            base=None if base is None else base.tip,
            entry=None if placed is None else placed.entry,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """One entry, the planned step, and what the step needs.

    ``version`` is the memory that the pages should show, ``side`` one that waits beside it. If the
    file's text is taken in, ``origin`` is its origin. ``is_standing`` says that only the decisions
    about the memory changed.
    """

    outcome: EntryOutcome
    placed: PlacedEntry | None = None
    chain: Chain | None = None
    version: MemoryRecord | None = None
    side: MemoryRecord | None = None
    origin: Origin
    is_standing: bool = False
    label: str | None = None

    @property
    def step(self) -> SyncStep:
        """The planned step."""
        return self.outcome.step

    def told(self, step: SyncStep, said: str = "", *, proof: str | None = None) -> Planned:
        """Return the same entry with another step."""
        return replace(self, outcome=replace(self.outcome, step=step, words=said, proof=proof))

    def rewritten(self, version: MemoryRecord, said: str) -> Planned:
        """Return the same entry with the store's text, to be written to the page."""
        plan = self.told(SyncStep.WRITTEN, said)
        return replace(plan, outcome=replace(plan.outcome, claim=version.memory.claim, before=""))

    def accepted(self, origin: Origin, said: str) -> Planned:
        """Return the same entry with its text taken in and accepted, with this origin."""
        return replace(self.told(SyncStep.TAKEN, said), origin=origin)


def certain(part: Part | None) -> Part:
    """Return a part that a plan for this step always has."""
    if part is None:
        raise TypeError
    return part


def proof_of(placed: PlacedEntry) -> str:
    """Return the proof of exactly one text of one entry, for a person to accept."""
    return f"{placed.entry.uid or ''}:{placed.entry.digest}"


def lines_said(placed: PlacedEntry) -> set[str]:
    """Return the lines of an entry's text that are not blank."""
    return {line.strip() for line in placed.entry.body.splitlines() if line.strip()}


def in_files(seen: Sight) -> list[Planned]:
    """Decide about every entry of the pages."""
    unfiled = _unfiled(seen)
    return [_in_file(placed, seen, unfiled) for placed in seen.pages.entries]


def _unfiled(seen: Sight) -> Said:
    """Return the memories that are not in the pages, by kind and words; only if needed."""
    found: Said = {}
    if all(one.entry.uid is not None for one in seen.pages.entries):
        return found
    there = {one.entry.uid for one in seen.pages.entries}
    for chain in seen.register.chains.values():
        for head in chain.heads if chain.uid not in there else ():
            key = (head.memory.kind.value, near_form(head.memory.claim))
            found.setdefault(key, []).append((chain, head))
    return found


def _in_file(placed: PlacedEntry, seen: Sight, unfiled: Said) -> Planned:
    entry, uid = placed.entry, placed.entry.uid
    plan = Planned(
        placed=placed,
        origin=seen.voice,
        outcome=EntryOutcome(
            step=SyncStep.AGREED,
            uid=uid,
            label=entry.label,
            claim=entry.body.strip("\n"),
            path=placed.path,
            line=placed.line,
        ),
    )
    if uid is None:
        same = unfiled.get((entry.kind.value, near_form(entry.body)), ())
        return _unnamed(plan, placed, seen, same)
    if uid in seen.forgotten:
        return plan.told(SyncStep.FORGOTTEN, words.FORGOTTEN)
    if chain := seen.register.chains.get(uid):
        return _known(replace(plan, chain=chain), placed, chain, seen)
    if owner := seen.register.owners.get(uid):
        return plan.told(SyncStep.REFUSED, words.COLLIDES.format(owner=owner))
    if uid in seen.foreign or not is_uid(uid):
        return plan.told(SyncStep.REFUSED, words.NOT_OURS.format(uid=uid[:64]))
    return _text(plan, placed, seen)


def _unnamed(
    plan: Planned, placed: PlacedEntry, seen: Sight, same: Iterable[tuple[Chain, MemoryRecord]]
) -> Planned:
    """Decide about an entry that was written by hand and has no id yet.

    A text that was read from a page as a proposal stays one, no matter who syncs next.
    """
    is_ours = seen.voice_of(placed) is Origin.HUMAN
    for chain, head in same:
        match head.standing.status:
            case Status.ACCEPTED if seen.register.may_show(head, chain):
                return replace(plan, chain=chain, version=head).rewritten(head, words.SAYS)
            case Status.CANDIDATE if not is_ours or _is_from_page(head):
                return _waiting(plan, placed, head, seen)
            case Status.REJECTED if not is_ours or _is_from_page(head):
                return plan.told(SyncStep.BEHIND, words.REJECTED)
            case _:
                continue
    return _text(plan, placed, seen)


def _is_from_page(record: MemoryRecord) -> bool:
    """Tell whether a memory was first read from a page."""
    return any(PAGE in item.facts for item in record.memory.evidence)


def _known(plan: Planned, placed: PlacedEntry, chain: Chain, seen: Sight) -> Planned:
    """Decide about an entry whose memory is in the store."""
    for found in seen.register.beside.get(chain.uid, ()):
        if seen.register.said_as(found[1], placed.entry):
            return _beside(plan, placed, chain, seen, found)
    if not chain.versions:
        return _hidden(plan, placed, chain, seen)
    version = seen.shown(chain, placed)
    plan = _against(plan, version)
    if version.standing.status is Status.CANDIDATE:
        is_same = seen.register.said_as(version, placed.entry)
        return _waiting(plan, placed, version, seen) if is_same else _text(plan, placed, seen)
    return _compared(plan, placed, chain, version, seen)


def _against(plan: Planned, version: MemoryRecord) -> Planned:
    before = replace(plan.outcome, before=version.memory.claim, memory=version.memory.id)
    return replace(plan, version=version, outcome=before)


def _compared(
    plan: Planned, placed: PlacedEntry, chain: Chain, version: MemoryRecord, seen: Sight
) -> Planned:
    """Decide by who changed the entry since the last sync."""
    register, base = seen.register, seen.bases.get(chain.uid)
    ours = register.entry(version, chain.uid, register.status(version, chain))
    noted = {placed.entry.digest, *(() if base is None else (base.digest,))}
    earlier = [_digest(register.digests(one, Status.ACCEPTED), noted) for one in chain.versions]
    replaced = () if base is None else _replaced_lately(base, register.at)
    step = three_way(
        Sights(
            base=None if base is None else base.digest,
            file=placed.entry.digest,
            store=_digest(register.digests(version, ours.status), noted),
            earlier=earlier,
            since=() if base is None else _since(base, chain, earlier),
            replaced=replaced,
            is_committed=seen.is_committed(placed),
        )
    )
    match step:
        case SyncStep.AGREED:
            return plan
        case SyncStep.WRITTEN if not register.may_show(version, chain):
            return plan.told(SyncStep.BEHIND)
        case SyncStep.WRITTEN:
            is_stale = placed.entry.digest in replaced
            return plan.rewritten(version, words.STALE if is_stale else words.WRITTEN)
        case SyncStep.CONFLICT:
            return replace(plan.told(step, words.BOTH_DRY), origin=seen.voice_of(placed))
        case _ if register.said_as(version, replace(placed.entry, status=ours.status)):
            return _standing(replace(plan, is_standing=True), placed, seen)
        case _:
            return _text(plan, placed, seen)


def _digest(digests: tuple[str, str], noted: Collection[str]) -> str:
    """Return the digest of a memory, in the earlier form if the page or base still has that."""
    now, earlier = digests
    return earlier if earlier in noted and now not in noted else now


def _since(base: Base, chain: Chain, digests: Sequence[str]) -> Sequence[str]:
    """Return the versions of the store after the agreed one."""
    names = [one.memory.id for one in chain.versions]
    return digests[names.index(base.tip) + 1 :] if base.tip in names else ()


def _replaced_lately(base: Base, now: datetime) -> Sequence[str]:
    """Return the texts that our writes replaced, as long as an editor may still hold them."""
    return base.replaced if 0 <= now.timestamp() - base.written < _EDITOR_SECONDS else ()


def _standing(plan: Planned, placed: PlacedEntry, seen: Sight) -> Planned:
    """Decide about an entry with known text and a changed status."""
    status, voice = placed.entry.status.value, seen.voice_of(placed)
    if voice is Origin.HUMAN or proof_of(placed) in seen.trusted:
        return plan.accepted(voice, words.STATUS.format(status=status))
    if voice is Origin.REPO:
        said = words.STATUS_WAITS.format(status=status)
        return plan.told(SyncStep.WAITING, said, proof=proof_of(placed))
    return plan.told(SyncStep.WAITING, words.STATUS_BY_AGENT.format(status=status))


def _beside(
    plan: Planned,
    placed: PlacedEntry,
    chain: Chain,
    seen: Sight,
    found: tuple[str, MemoryRecord],
) -> Planned:
    """Decide about a text that was already proposed as a replacement."""
    kind, side = found
    is_refused = side.standing.status is Status.REJECTED
    if not chain.versions:
        return plan.told(SyncStep.BEHIND) if is_refused else _waiting(plan, placed, side, seen)
    version = seen.shown(chain, None)
    plan = replace(_against(plan, version), side=side)
    if is_refused:
        behind = plan.told(SyncStep.BEHIND, words.TURNED_DOWN)
        may = seen.register.may_show(version, chain)
        return plan.rewritten(version, words.TURNED_DOWN) if may else behind
    if kind == LinkKind.SUPERSEDES:
        return _waiting(plan, placed, side, seen)
    said = words.BOTH.format(candidate=side.memory.id, id=version.memory.id)
    return plan.told(SyncStep.CONFLICT, said)


def _waiting(plan: Planned, placed: PlacedEntry, side: MemoryRecord, seen: Sight) -> Planned:
    """Let a candidate wait, or accept it if a person was shown exactly this text."""
    proof = proof_of(placed)
    plan = replace(plan, side=side, outcome=replace(plan.outcome, memory=side.memory.id))
    if side.memory.origin is Origin.REPO and proof in seen.trusted:
        return plan.accepted(Origin.REPO, words.ACCEPTED)
    is_asked = side.memory.origin is Origin.REPO and side.standing.status is Status.CANDIDATE
    said = words.WAITS.format(id=side.memory.id)
    return plan.told(SyncStep.WAITING, said, proof=proof if is_asked else None)


def _hidden(plan: Planned, placed: PlacedEntry, chain: Chain, seen: Sight) -> Planned:
    """Decide about an entry whose memory is visible on other branches only."""
    said = [one for one in chain.hidden if seen.register.said_as(one, placed.entry)]
    if not said:
        return _text(plan, placed, seen)
    known = said[-1]
    if known.standing.status is Status.REJECTED:
        return plan.told(SyncStep.BEHIND, words.REJECTED)
    if not seen.is_committed(placed) or known.standing.status is Status.CANDIDATE:
        return plan.told(SyncStep.ELSEWHERE, words.HIDDEN)
    return plan.accepted(known.memory.origin, words.HIDDEN)


def _text(plan: Planned, placed: PlacedEntry, seen: Sight) -> Planned:
    """Decide by the origin whether a new text is accepted or waits."""
    if plan.chain is None and placed.entry.digest in seen.pages.forgotten:
        return plan.told(SyncStep.FORGOTTEN, words.FORGOTTEN_TEXT)
    if plan.chain is None and (problem := seen.pages.unsure_of_forgotten):
        return plan.told(SyncStep.REFUSED, words.MAY_BE_FORGOTTEN.format(problem=problem))
    voice, proof = seen.voice_of(placed), proof_of(placed)
    if voice is Origin.HUMAN:
        return plan.accepted(voice, words.NEW if placed.entry.uid is None else words.TAKEN)
    if voice is Origin.REPO:
        if proof in seen.trusted:
            return plan.accepted(voice, words.ACCEPTED)
        return replace(plan.told(SyncStep.PROPOSED, words.BY_GIT, proof=proof), origin=voice)
    return replace(plan.told(SyncStep.PROPOSED, words.BY_AGENT), origin=voice)
