"""Rank a memory that amends another above it, and mark the earlier one in the answer.

The store is not changed: the earlier memory stays, ranks lower, and is marked.

Mark memories in an answer that contradict each other, while no person has decided.

Rank the memories whose label or id a question contains above all others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import LinkKind, least_trusted
from holdfast.domain.ids import short
from holdfast.domain.recall.bundle import DISPUTED, SUPERSEDED, Reason
from holdfast.domain.recall.question import references_in
from holdfast.domain.recall.ranking import Scored
from holdfast.domain.recall.weighing import SHORT_THREAD
from holdfast.domain.values import dataclass, replace

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from holdfast.domain.ids import MemoryId
    from holdfast.domain.memory.link import Link
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.domain.recall.amendment import Amendment
    from holdfast.domain.recall.weighing import Weights
    from holdfast.domain.review.suspicion import Suspicion

    Slots = Callable[[Sequence[str]], Iterable[tuple[int, int]]]
    Amending = Callable[[Sequence[Sequence[str]], Collection[int]], Iterable[Amendment]]


# Chosen by hand (decision 30).
LOOKED_AT = 40
_JUST_ABOVE = 1e-6
_SETTLING = frozenset({LinkKind.COMPATIBLE, LinkKind.WITHDRAWN})
_REFERENCE = "reference"
# Chosen by hand: small beside a score, so that the best of the others stay part of the answer.
_AHEAD = 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class Amended:
    """An earlier memory, the later one that amends it, and how that one differs."""

    older: MemoryId
    newer: MemoryId
    differs: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolution:
    """The hits in their new order, and which of them a later memory amends.

    ``rivals`` are pairs that give one topic two values, ``disputes`` pairs that a link says to
    contradict each other. Nobody has decided about either: the later one ranks first, but it does
    not supersede the earlier one.
    """

    scored: tuple[Scored, ...]
    amended: dict[MemoryId, Amended]
    rivals: tuple[Amended, ...]
    disputes: tuple[Amended, ...] = ()


def references_first(
    scored: Sequence[Scored], question: str, *, weights: Weights
) -> tuple[Scored, ...]:
    """Raise the memories whose label or id the question contains above all others; best first.

    A label or an id names one memory, while the score of the others may be as high by chance. They
    stay first also if their evidence has changed, which is what a person may be asking about. A
    number or a date alone is no reference: questions contain them for other reasons.
    """
    words = [name.casefold() for name in references_in(question)]
    names = frozenset(name for name in words if any(map(str.isalpha, name)))
    meant = {item.record.sequence for item in scored if names and _is_meant(item.record, names)}
    if not meant:
        return tuple(scored)
    others = [item.score for item in scored if item.record.sequence not in meant]
    least = max(others, default=0.0) + weights.doubt + _AHEAD
    raised = [_raised(item, least) if item.record.sequence in meant else item for item in scored]
    return tuple(sorted(raised, key=lambda item: (-item.score, item.record.sequence)))


def _is_meant(record: MemoryRecord, names: Collection[str]) -> bool:
    label, name = record.standing.label, record.memory.id
    return name in names or short(name) in names or (label or "").casefold() in names


def _raised(item: Scored, least: float) -> Scored:
    gained = least - item.score
    if gained <= 0:
        return item
    return replace(
        item,
        score=round(least, 6),
        reasons=(*item.reasons, Reason(leg=_REFERENCE, amount=gained)),
    )


def resolve(
    scored: Sequence[Scored],
    known: Mapping[MemoryId, MemoryId],
    *,
    slots: Slots,
    amending: Amending,
    links: Iterable[Link] = (),
) -> Resolution:
    """Rank what amends another memory before it, and the newest value of a slot first.

    ``known`` maps an earlier memory to the one that supersedes it by a link. ``slots`` returns the
    pairs of claims that give one topic two values, ``amending`` the later texts that amend earlier
    ones. A pair that somebody called compatible keeps its order, and so does a claim that is less
    trusted than the earlier one, or not pinned as that one is.
    """
    links = tuple(links)
    head = list(scored[:LOOKED_AT])
    settled = {frozenset({one.src, one.dst}) for one in links if one.kind in _SETTLING}
    found = _linked(head, known)
    repeated: dict[MemoryId, Amended] = {}
    for amended in _open(_by_content(head, amending), settled):
        (found if amended.differs else repeated).setdefault(amended.older, amended)
    rivals = [one for one in _open(_by_slot(head, slots), settled) if one.older not in found]
    decided = settled | {frozenset(pair) for pair in known.items()}
    disputes = [one for one in _open(_by_links(head, links), decided) if one.older not in found]
    by_id = {item.record.memory.id: item.record for item in head}
    lifting = {one.older: one for one in rivals if _may_rise(one, by_id)}
    rising = [one for one in disputes if _may_rise(one, by_id)]
    ordered = _reordered(head, [*{**repeated, **lifting, **found}.values(), *rising])
    return Resolution(
        scored=tuple(ordered) + tuple(scored[LOOKED_AT:]),
        amended=found,
        rivals=tuple(rivals),
        disputes=tuple(rising),
    )


def _may_rise(one: Amended, records: Mapping[MemoryId, MemoryRecord]) -> bool:
    """Tell whether a later claim may rank before an earlier one that nobody decided against."""
    newer, older = records[one.newer], records[one.older]
    if older.standing.pinned and not newer.standing.pinned:
        return False
    trust = [newer.memory.trust, older.memory.trust]
    return least_trusted(trust) is older.memory.trust


def suspected(
    found: Resolution, judged: Callable[[str, str, Suspicion | None], Suspicion | None]
) -> list[Amended]:
    """Return the rivals that the judge suspects, so that an answer agrees with a review."""
    claims = {item.record.memory.id: item.record.memory.claim for item in found.scored}
    return [one for one in found.rivals if judged(claims[one.newer], claims[one.older], None)]


def _open(found: Iterable[Amended], settled: Collection[frozenset[MemoryId]]) -> list[Amended]:
    return [one for one in found if frozenset({one.older, one.newer}) not in settled]


def _linked(head: Sequence[Scored], known: Mapping[MemoryId, MemoryId]) -> dict[MemoryId, Amended]:
    return {
        item.record.memory.id: Amended(
            older=item.record.memory.id,
            newer=known[item.record.memory.id],
        )
        for item in head
        if item.record.memory.id in known
    }


def _by_content(head: Sequence[Scored], amending: Amending) -> list[Amended]:
    """Find what a later source amends: a memory, or a conversation with all its turns.

    If several amend one, the one counts that says so, and of those the latest. A source that amends
    also comes before those that say the same as it; they differ in nothing and are not marked.

    In a conversation nobody has decided, so a turn of an agent does not amend a turn of a person,
    unless a person spoke after it in the same conversation.
    """
    threads: dict[str, list[Scored]] = {}
    for item in sorted(head, key=lambda item: item.record.sequence):
        threads.setdefault(_source(item), []).append(item)
    sources = list(threads.values())
    talks = {place for place, items in enumerate(sources) if items[0].turn is not None}
    texts = [[item.record.memory.claim for item in items] for items in sources]
    found = sorted(amending(texts, talks), key=lambda one: (not one.is_said, -one.newer[0]))
    return [amended for one in found for amended in _amended(sources, one)]


def _amended(sources: Sequence[Sequence[Scored]], one: Amendment) -> Iterator[Amended]:
    said = sources[one.newer[0]][one.newer[1] :]
    newer = said[0].record
    # Whoever spoke after it has read it. A memory was accepted by a person.
    heard = [item.record.memory.trust for item in (said if said[0].turn is not None else ())]
    olders = sources[one.older[0]]
    if not _is_short(olders[-1]):
        olders = olders[one.older[1] : one.older[1] + 1]
    for item in olders:
        trust = item.record.memory.trust
        is_heard = not heard or any(least_trusted([trust, own]) is trust for own in heard)
        if item.record.sequence < newer.sequence and is_heard:
            older = item.record.memory.id
            yield Amended(older=older, newer=newer.memory.id, differs=one.differs or "")


def _is_short(last: Scored) -> bool:
    """Tell whether a source is short enough to be about one thing; then all of it is amended."""
    return last.turn is None or last.turn.number <= SHORT_THREAD


def _by_slot(head: Sequence[Scored], slots: Slots) -> list[Amended]:
    """Find claims about one slot, each with the newest other claim about it."""
    newest: dict[int, int] = {}
    for one, other in slots([item.record.memory.claim for item in head]):
        older, newer = sorted((one, other), key=lambda n: head[n].record.sequence)
        newest[older] = max(newer, newest.get(older, newer), key=lambda n: head[n].record.sequence)
    return [
        Amended(
            older=head[older].record.memory.id,
            newer=head[newer].record.memory.id,
        )
        for older, newer in sorted(newest.items())
    ]


def _by_links(head: Sequence[Scored], links: Iterable[Link]) -> list[Amended]:
    """Find the pairs that contradict each other according to a link, each once."""
    place = {item.record.memory.id: item.record.sequence for item in head}
    pairs = {
        tuple(sorted((link.src, link.dst), key=place.__getitem__))
        for link in links
        if link.kind == LinkKind.CONTRADICTS and link.src in place and link.dst in place
    }
    return [Amended(older=older, newer=newer) for older, newer in sorted(pairs)]


def _reordered(head: Sequence[Scored], found: Iterable[Amended]) -> list[Scored]:
    """Move each later memory above the one it amends."""
    by_id = {item.record.memory.id: item for item in head}
    score = {name: item.score for name, item in by_id.items()}
    # In order of arrival: a memory that amends and is amended must rise before its amendment.
    for amended in sorted(found, key=lambda one: by_id[one.older].record.sequence):
        for name in _lifting(by_id, amended.newer):
            score[name] = max(score[name], score[amended.older] + _JUST_ABOVE)
    lifted = [_lifted(item, score[item.record.memory.id]) for item in head]
    lifted.sort(key=lambda item: (-item.score, item.record.sequence))
    return lifted


def _lifting(by_id: Mapping[MemoryId, Scored], newer: MemoryId) -> list[MemoryId]:
    """Return the later memory and the closing turns of its thread."""
    if newer not in by_id:
        return []
    ends = [
        name
        for name, item in by_id.items()
        if _source(item) == _source(by_id[newer])
        and any(reason.leg == "closing" for reason in item.reasons)
    ]
    return list(dict.fromkeys([newer, *ends]))


def marked(found: Resolution) -> tuple[Scored, ...]:
    """Return the hits in the same order, with a note on each that says how a later one differs."""
    return tuple(_told(item, found.amended.get(item.record.memory.id)) for item in found.scored)


def _told(item: Scored, amended: Amended | None) -> Scored:
    if amended is None or not amended.differs:
        return item
    note = Reason(leg=SUPERSEDED, amount=0.0, note=amended.differs)
    return replace(item, reasons=(*item.reasons, note))


def _lifted(item: Scored, score: float) -> Scored:
    if score <= item.score:
        return item
    gain = Reason(leg="newer", amount=round(score - item.score, 6), note="amends an earlier one")
    return replace(item, score=round(score, 6), reasons=(*item.reasons, gain))


def _source(item: Scored) -> str:
    return item.turn.thread if item.turn is not None else item.record.memory.id


_DECIDING = frozenset(
    {LinkKind.CONTRADICTS, LinkKind.SUPERSEDES, LinkKind.COMPATIBLE, LinkKind.WITHDRAWN}
)


def disputed(
    scored: Sequence[Scored],
    links: Iterable[Link],
    amended: Iterable[Amended] = (),
    rivals: Iterable[Amended] = (),
    beside: Collection[MemoryId] = (),
) -> tuple[Scored, ...]:
    """Return the hits in the same order, with a note on each that contradicts another.

    ``rivals`` contradict each other too, although no link says so. Pairs in which one memory amends
    the other get no note, because the answer already shows that. ``beside`` are memories that are
    not among the hits, and that the reader may see. No note is added twice.
    """
    told = {frozenset({one.older, one.newer}) for one in amended}
    names = {item.record.memory.id for item in scored}.union(beside)
    pairs = {frozenset({one.older, one.newer}): True for one in rivals}
    pairs |= {
        frozenset({link.src, link.dst}): link.kind == LinkKind.CONTRADICTS
        for link in sorted(links, key=lambda link: link.kind != LinkKind.CONTRADICTS)
        if link.kind in _DECIDING and {link.src, link.dst} <= names
    }
    undecided = [sorted(pair) for pair, is_open in pairs.items() if is_open and pair not in told]
    return tuple(_noted(item, undecided) for item in scored)


def _noted(item: Scored, undecided: Sequence[Sequence[str]]) -> Scored:
    own = item.record.memory.id
    others = [one for pair in undecided if own in pair for one in pair if one != own]
    notes = (
        Reason(leg=DISPUTED, amount=0.0, note=f"contradicts {other}; nobody has decided")
        for other in others
    )
    new = tuple(note for note in notes if note not in item.reasons)
    return replace(item, reasons=(*item.reasons, *new)) if new else item
