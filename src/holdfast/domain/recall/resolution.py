"""Rank a memory that amends another above it, and mark the earlier one in the answer.

The store is not changed: the earlier memory stays, ranks lower, and is marked.

Mark memories in an answer that contradict each other, while no person has decided.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from holdfast.domain.choices import LinkKind, least_trusted
from holdfast.domain.recall.bundle import DISPUTED, Reason
from holdfast.domain.recall.ranking import Scored
from holdfast.domain.text.words import STOP_WORDS
from holdfast.domain.values import dataclass, replace

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from holdfast.domain.ids import MemoryId
    from holdfast.domain.memory.link import Link
    from holdfast.domain.review.suspicion import Suspicion

    Slots = Callable[[Sequence[str]], Iterable[tuple[int, int]]]


# Chosen by hand (decision 30).
LOOKED_AT = 40
_AMENDS = re.compile(
    r"\b(?:amend(?:s|ed|ing|ment)|supersed(?:es|ed|ing)|overrul(?:es|ed|ing)"
    r"|replac(?:es|ed|ing) (?:the|our|that) (?:old|earlier|previous|former|original)"
    r"|(?:two |an? |one )?updates? to the \w+(?: \w+)? we (?:settled|agreed|decided|made)"
    r"|(?<!not )(?<!never )(?<!n't )chang(?:e|ed|ing) (?:our|my) minds?"
    r"|instead of (?:the|our) (?:old|earlier|previous)|no longer (?:holds|applies|true)"
    r"|re(?:vis|vers)(?:es|ed|ing) (?:the|our) (?:decision|policy|rule|plan|earlier|previous))\b",
    re.IGNORECASE,
)
_STEMS = (
    *("amend", "supersed", "overrul", "replac", "updates to", "update to", "chang", "revis"),
    *("instead of", "no longer", "revers"),
)
_WORD = re.compile(r"[^\W_]+(?:[._-][^\W_]+)*")
_MEASURE = 4
_SAME_TOPIC = 0.2
_JUST_ABOVE = 1e-6
_KNOWN_CLAIMS = 512
_SETTLING = frozenset({LinkKind.COMPATIBLE, LinkKind.WITHDRAWN})
# Beside the stop words: in spoken amendments these words occur with every topic.
_STOP = STOP_WORDS | {
    *("against", "already", "always", "down", "exactly", "like", "make", "need", "never", "still"),
    "want",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Amended:
    """An earlier memory, the later one that amends it, and the reason to think so."""

    older: MemoryId
    newer: MemoryId
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolution:
    """The hits in their new order, and which of them a later memory amends.

    ``rivals`` are pairs that give one topic two values, and about which nobody has decided: the
    later value ranks first, but it does not supersede the earlier one.
    """

    scored: tuple[Scored, ...]
    amended: dict[MemoryId, Amended]
    rivals: tuple[Amended, ...]


def resolve(
    scored: Sequence[Scored],
    known: Mapping[MemoryId, MemoryId],
    *,
    slots: Slots,
    links: Iterable[Link] = (),
) -> Resolution:
    """Rank what amends another memory before it, and the newest value of a slot first.

    ``known`` maps an earlier memory to the one that supersedes it by a link. ``slots`` returns the
    pairs of claims that give one topic two values. A pair that somebody called compatible keeps its
    order, and so does a value that is less trusted than the earlier one.
    """
    head = list(scored[:LOOKED_AT])
    settled = {frozenset({one.src, one.dst}) for one in links if one.kind in _SETTLING}
    found = _linked(head, known)
    for amended in _open(_by_language(head), settled):
        found.setdefault(amended.older, amended)
    rivals = [one for one in _open(_by_slot(head, slots), settled) if one.older not in found]
    trust = {item.record.memory.id: item.record.memory.trust for item in head}
    lifting = {
        one.older: one
        for one in rivals
        if least_trusted([trust[one.newer], trust[one.older]]) is trust[one.older]
    }
    return Resolution(
        scored=tuple(_reordered(head, {**lifting, **found})) + tuple(scored[LOOKED_AT:]),
        amended=found,
        rivals=tuple(rivals),
    )


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
            why="superseded by",
        )
        for item in head
        if item.record.memory.id in known
    }


def _by_language(head: Sequence[Scored]) -> list[Amended]:
    """Find memories whose wording says that they amend something, and the ones they mean."""
    found: list[Amended] = []
    amending = [item for item in head if _amends(item.record.memory.claim)]
    topics = [_topic(item.record.memory.claim) for item in head] if amending else []
    for newer in amending:
        source = _source(newer)
        own = _united(topics[n] for n, item in enumerate(head) if _source(item) == source)
        stale = {
            _source(item)
            for n, item in enumerate(head)
            if item.record.sequence < newer.record.sequence
            and _source(item) != source
            and _share(topics[n], own) >= _SAME_TOPIC
        }
        found += [
            Amended(older=item.record.memory.id, newer=newer.record.memory.id, why="amended by")
            for item in head
            if _source(item) in stale and item.record.sequence < newer.record.sequence
        ]
    return found


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
            why="a newer value:",
        )
        for older, newer in sorted(newest.items())
    ]


def _reordered(head: Sequence[Scored], found: Mapping[MemoryId, Amended]) -> list[Scored]:
    """Move each later memory above the one it amends."""
    by_id = {item.record.memory.id: item for item in head}
    score = {name: item.score for name, item in by_id.items()}
    # In order of arrival: a memory that amends and is amended must rise before its amendment.
    for older, amended in sorted(found.items(), key=lambda pair: by_id[pair[0]].record.sequence):
        for name in _lifting(by_id, amended.newer):
            score[name] = max(score[name], score[older] + _JUST_ABOVE)
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


def _lifted(item: Scored, score: float) -> Scored:
    if score <= item.score:
        return item
    gain = Reason(leg="newer", amount=round(score - item.score, 6), note="amends an earlier one")
    return replace(item, score=round(score, 6), reasons=(*item.reasons, gain))


@lru_cache(maxsize=_KNOWN_CLAIMS)
def _amends(claim: str) -> bool:
    lowered = claim.casefold()
    for stem in _STEMS:
        if stem in lowered:
            return bool(_AMENDS.search(claim))
    return False


def _source(item: Scored) -> str:
    return item.turn.thread if item.turn is not None else item.record.memory.id


def _topic(claim: str) -> frozenset[str]:
    words = (word.rstrip("s") for word in _WORD.findall(claim.casefold()))
    return frozenset(word for word in words if len(word) >= _MEASURE and word not in _STOP)


def _united(topics: Iterable[frozenset[str]]) -> frozenset[str]:
    return frozenset().union(*topics)


def _share(topic: frozenset[str], other: frozenset[str]) -> float:
    return len(topic & other) / len(topic) if topic else 0.0


_DECIDING = frozenset(
    {LinkKind.CONTRADICTS, LinkKind.SUPERSEDES, LinkKind.COMPATIBLE, LinkKind.WITHDRAWN}
)


def disputed(
    scored: Sequence[Scored],
    links: Iterable[Link],
    amended: Iterable[Amended] = (),
    rivals: Iterable[Amended] = (),
) -> tuple[Scored, ...]:
    """Return the hits in the same order, with a note on each that contradicts another.

    ``rivals`` contradict each other too, although no link says so. Pairs in which one memory amends
    the other get no note, because the answer already shows that.
    """
    told = {frozenset({one.older, one.newer}) for one in amended}
    names = {item.record.memory.id for item in scored}
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
    notes = tuple(
        Reason(leg=DISPUTED, amount=0.0, note=f"contradicts {other}; nobody has decided")
        for other in others
    )
    return replace(item, reasons=(*item.reasons, *notes)) if notes else item
