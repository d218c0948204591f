"""Restate: a known claim is said again; its evidence is added, and a person may change its fields.

A memory never changes, so a changed lifetime, kind, tag, weight, importance, check or metadata
becomes a new version with the same claim and all evidence, which supersedes the old one. This is a
decision of the person, so that it can be undone. Pins and labels belong to the standing and are set
there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.checks.check import checks_in, with_checks
from holdfast.domain.choices import LinkKind, Origin, Status
from holdfast.domain.ids import MemoryId, sortable
from holdfast.domain.memory.decision import AUTHOR, Action
from holdfast.domain.memory.memory import MOST_EVIDENCE, Memory, Standing
from holdfast.domain.memory.naming import sign
from holdfast.domain.values import dataclass, replace
from holdfast.usecases.anchors.gather import Gathered, unseen
from holdfast.usecases.naming import refuse_taken_label

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from holdfast.domain.memory.decision import Decision
    from holdfast.domain.memory.evidence import Evidence
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.ports.clock import Clock
    from holdfast.ports.store.store import Transaction
    from holdfast.usecases.review.deciding import DecisionLedger

_MERGED: Mapping[str, Callable[[Memory, Memory], dict[str, object]]] = {
    "kind": lambda _, said: {"kind": said.kind},
    "ttl": lambda _, said: {"expires_at": said.expires_at},
    "tags": lambda known, said: {"tags": tuple(dict.fromkeys((*known.tags, *said.tags)))},
    "importance": lambda _, said: {"importance": said.importance},
    "weight": lambda _, said: {"weight": said.weight},
    "metadata": lambda known, said: {"metadata": _facts(known, said)},
    "checks": lambda known, said: {
        "metadata": with_checks(known.metadata, checks_in(said.metadata))
    },
}


def _facts(known: Memory, said: Memory) -> dict[str, object]:
    """Return both metadata together; checks are a field of their own, and stay, as the author."""
    more = {name: value for name, value in said.metadata.items() if name != AUTHOR}
    return with_checks({**known.metadata, **more}, checks_in(known.metadata))


RENEWABLE = frozenset(_MERGED)
"""The fields of a request that a person changes by saying a known claim again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Restatement:
    """A request that repeats a claim: the memory that it would be, and which fields it names."""

    memory: Memory
    gathered: Gathered
    stated: frozenset[str]
    pinned: bool
    label: str | None

    @property
    def is_of_person(self) -> bool:
        """Whether a person says it."""
        return self.memory.origin is Origin.HUMAN


@dataclass(frozen=True, slots=True, kw_only=True)
class Restated:
    """The memory after its claim was said again; ``changed`` names the fields that differ.

    ``replaced`` is the version before, if the fields needed a new one. ``is_stronger`` says
    whether it got evidence that it did not have.
    """

    record: MemoryRecord
    is_stronger: bool = False
    changed: tuple[str, ...] = ()
    replaced: MemoryRecord | None = None
    decision: Decision | None = None


def restate(
    known: MemoryRecord, wish: Restatement, *, ledger: DecisionLedger, clock: Clock
) -> Restated:
    """Add the evidence of a request to the memory; a person's request also changes its fields."""
    tx = ledger.tx
    evidence = _new_evidence(known, wish, tx=tx)
    if not wish.is_of_person:
        _add(evidence, known.memory.id, tx=tx)
        return _strengthened(known, tx)
    changed = _changed(known.memory, wish)
    if wish.label != known.standing.label:
        refuse_taken_label(wish.label, known.memory, tx=tx)
    standing = replace(
        known.standing,
        pinned=known.standing.pinned or wish.pinned,
        label=wish.label or known.standing.label,
    )
    if not changed:
        _add(evidence, known.memory.id, tx=tx)
        if standing != known.standing:
            tx.memories.set_standing(known.memory.id, standing)
        return _strengthened(known, tx)
    made = _renewed(known, _merged(known.memory, wish.memory, changed), standing, ledger, clock)
    _add((*known.added_evidence, *evidence), made.memory.id, tx=tx)
    return Restated(
        decision=ledger.close(Action.RENEW, entropy=clock.entropy()),
        record=tx.memories.get(made.memory.id),
        replaced=tx.memories.get(known.memory.id),
        changed=changed,
    )


def _strengthened(known: MemoryRecord, tx: Transaction) -> Restated:
    """Return the memory as it is now; evidence that it had was not added again."""
    now = tx.memories.get(known.memory.id)
    return Restated(record=now, is_stronger=len(now.evidence) > len(known.evidence))


def not_applied(known: MemoryRecord, wish: Restatement) -> tuple[str, ...]:
    """Return the fields of a program's request that only a person may set, and that differ.

    ``known`` is the memory that already has the claim.
    """
    if wish.is_of_person:
        return ()
    is_pin = wish.pinned and not known.standing.pinned
    is_label = wish.label not in {None, known.standing.label}
    standing = [name for name, differs in (("label", is_label), ("pinned", is_pin)) if differs]
    return (*_changed(known.memory, wish), *standing)


def _changed(known: Memory, wish: Restatement) -> tuple[str, ...]:
    """Return the fields that the request names and that the known memory has otherwise."""
    named = [name for name in _MERGED if name in wish.stated]
    return tuple(name for name in named if _merged(known, wish.memory, [name]) != known)


def _merged(known: Memory, said: Memory, names: Iterable[str]) -> Memory:
    fields: dict[str, object] = {}
    merged = known
    for name in names:
        fields |= _MERGED[name](merged, said)
        merged = replace(known, **fields)  # type: ignore[arg-type]  # as below
    return replace(known, **fields)  # type: ignore[arg-type]  # each value comes from a memory


def _renewed(
    known: MemoryRecord,
    fields: Memory,
    standing: Standing,
    ledger: DecisionLedger,
    clock: Clock,
) -> MemoryRecord:
    """Store the new version; it keeps the origin, the branch and the links of the old one."""
    name = MemoryId(sortable("m", at=ledger.at, entropy=clock.entropy()))
    accepted = replace(
        standing, status=Status.ACCEPTED, decided_by=ledger.by, decided_at=ledger.at, reason=None
    )
    made = ledger.add(replace(fields, id=name, created_at=ledger.at), accepted)
    for link in ledger.tx.links.touching(known.memory.id):
        if link.kind != LinkKind.SUPERSEDES:
            src, dst = (name if end == known.memory.id else end for end in (link.src, link.dst))
            ledger.link(replace(link, src=src, dst=dst))
    ledger.supersede(known, made)
    return made


def _new_evidence(
    known: MemoryRecord, wish: Restatement, *, tx: Transaction
) -> tuple[Evidence, ...]:
    """Return the evidence that the memory does not have yet, as much as fits."""
    new = unseen(wish.gathered, behind=known, tx=tx)
    room = max(0, MOST_EVIDENCE - len(known.evidence))
    for span in new.spans[:room]:
        tx.anchors.spans.put(span)
    return tuple(_noted(item, wish) for item in new.evidence[:room])


def _add(evidence: Iterable[Evidence], name: MemoryId, *, tx: Transaction) -> None:
    for item in evidence:
        tx.anchors.reasons.add(name, item)


def _noted(item: Evidence, wish: Restatement) -> Evidence:
    """Record who gave evidence, so that everything from one source can be reverted."""
    if wish.is_of_person:
        return item
    return sign(item, origin=wish.memory.origin, source=wish.memory.source)
