"""Inheriting: what a memory takes over from the memories that it replaces.

People find a subject by its label and pin it because it matters; a new claim about the subject
changes neither. The lifetime, the evidence, the checks and the metadata belong to the claim
itself, so the new claim has its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import Kind
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from holdfast.domain.memory.memory import Memory, MemoryRecord, Standing

_DEFAULTS: Mapping[str, object] = {"kind": Kind.FACT, "tags": (), "importance": 0.5, "weight": 1.0}
"""The fields that describe the subject of a claim, with the values that mean "not given"."""


def with_inherited_fields(memory: Memory, old: Memory, *, stated: Collection[str]) -> Memory:
    """Return a memory with the fields of the one it replaces that its request does not give.

    An empty list of tags gives none, as programs send it when they have nothing to say.
    """
    given = {name for name in stated if name != "tags"}
    taken = {
        name: getattr(old, name)
        for name, default in _DEFAULTS.items()
        if name not in given and getattr(memory, name) == default
    }
    return replace(memory, **taken)


def inherited_standing(standing: Standing, replaced: Iterable[MemoryRecord]) -> Standing:
    """Return the standing of an accepted memory with the pin and the label of what it replaces.

    Its own label stays. On a branch both have the label, as they have the key: in each checkout it
    names the one that is valid there.
    """
    olds = list(replaced)
    labels = (one.standing.label for one in olds if one.standing.label)
    return replace(
        standing,
        pinned=standing.pinned or any(one.standing.pinned for one in olds),
        label=standing.label or next(labels, None),
    )


def inherited_names(
    own: Memory, record: MemoryRecord, *, label: str | None, is_pinned: bool
) -> tuple[str, ...]:
    """Return the names of the fields that a record took over.

    ``own`` and ``label`` are the memory and the label as its request gave them; ``is_pinned`` says
    whether the request pinned it.
    """
    standing = record.standing
    given = (("label", standing.label != label), ("pinned", standing.pinned and not is_pinned))
    fields = [name for name in _DEFAULTS if getattr(own, name) != getattr(record.memory, name)]
    return (*(name for name, is_taken in given if is_taken), *fields)
