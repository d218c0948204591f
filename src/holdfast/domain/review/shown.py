"""The hash of what a reviewer was shown, so that a decision is about exactly that."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.checks.check import CHECKS, checks_in
from holdfast.domain.choices import Scope
from holdfast.domain.memory.entry import digest
from holdfast.domain.memory.evidence import evidence_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from holdfast.domain.memory.memory import MemoryRecord

    Doubts = Callable[..., tuple[str, ...]]


SHORT_HASH = 12
"""The length of a hash that a person is shown and has to repeat."""
SHORTEST_HASH = 8
_WEIGHT, _IMPORTANCE = 1.0, 0.5
WEIGHTY = frozenset({"scope", "label", "weight", "importance", "metadata", "pin", "check"})
_SHOWN_APART = frozenset({"removed", "holdfast.offers", "holdfast.about", CHECKS})
_OF_PROPOSALS = frozenset({"rule", "confidence", "by"})
"""Metadata that Holdfast writes about every candidate that it finds in a conversation."""


def set_fields(record: MemoryRecord) -> tuple[tuple[str, str], ...]:
    """Return the fields of a candidate that differ from the defaults, as a person is shown them.

    An agent may set each of them, so a person must see them before deciding.
    """
    memory, label = record.memory, record.standing.label
    apart = _SHOWN_APART
    if memory.metadata.keys() >= _OF_PROPOSALS:
        apart |= _OF_PROPOSALS
    metadata = {name: value for name, value in memory.metadata.items() if name not in apart}
    found = (
        ("scope", "" if memory.scope is Scope.REPO else memory.scope.value),
        ("label", label or ""),
        ("key", memory.key or ""),
        ("tags", ", ".join(memory.tags)),
        ("weight", "" if memory.weight == _WEIGHT else f"{memory.weight:g}"),
        ("importance", "" if memory.importance == _IMPORTANCE else f"{memory.importance:g}"),
        ("metadata", ", ".join(f"{name}={value}" for name, value in metadata.items())),
        ("pin", "pinned" if record.standing.pinned else ""),
        ("check", "; ".join(checks_in(memory.metadata))),
    )
    return tuple((name, value) for name, value in found if value)


def shown_hash(record: MemoryRecord, rivals: Iterable[MemoryRecord]) -> str:
    """Return the hash of everything that a person sees of a candidate and decides about.

    It covers the claim's bytes, its kind and scope, its origin and evidence, every field that is
    not the default, and the memories that it contradicts. Verdicts are excluded, because they may
    change from one minute to the next.
    """
    memory = record.memory
    return digest(
        [
            *(memory.id, memory.content_hash, memory.kind, memory.scope, memory.repo),
            *(memory.key, list(memory.tags), memory.origin, memory.trust, memory.source),
            [evidence_json(item) for item in record.evidence],
            sorted([one.memory.id, one.memory.content_hash] for one in rivals),
            *[list(one) for one in set_fields(record) if one[0] in WEIGHTY],
        ]
    )


def list_hash(shown: Sequence[str]) -> str:
    """Return the hash of a whole list, independent of its order."""
    return digest(sorted(shown))


def is_shown(given: str, *hashes: str) -> bool:
    """Tell whether the given text is a prefix of one of the hashes, and long enough."""
    words = given.strip().lower()
    return len(words) >= SHORTEST_HASH and any(one.startswith(words) for one in hashes)
