"""The fields in which two memories differ, for conflicts between memories with the same text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.checks.check import CHECKS, checks_in
from holdfast.domain.memory.decision import AUTHOR
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from holdfast.domain.memory.memory import MemoryRecord

NOTHING = "—"
"""The sign for a field that one of two memories does not have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldDifference:
    """A field of two memories with the value of each, as people are shown them."""

    name: str
    newer: str
    older: str

    @property
    def words(self) -> str:
        """The field and both values on one line, the newer memory's first."""
        return f"{self.name} {self.newer or NOTHING} | {self.older or NOTHING}"


def differing_fields(newer: MemoryRecord, older: MemoryRecord) -> tuple[FieldDifference, ...]:
    """Return the fields in which two memories differ, besides their claims and evidence."""
    ours, theirs = _fields(newer), _fields(older)
    return tuple(
        FieldDifference(name=name, newer=ours[name], older=theirs[name])
        for name in ours
        if ours[name] != theirs[name]
    )


def _fields(record: MemoryRecord) -> dict[str, str]:
    memory, standing = record.memory, record.standing
    ends = memory.expires_at
    return {
        "kind": memory.kind.value,
        "scope": memory.scope.value,
        "key": memory.key or "",
        "label": standing.label or "",
        "expires": "never" if ends is None else f"{ends:%Y-%m-%d}",
        "tags": ", ".join(sorted(memory.tags)),
        "importance": f"{memory.importance:g}",
        "weight": f"{memory.weight:g}",
        "metadata": ", ".join(
            f"{name}={value}"
            for name, value in sorted(memory.metadata.items())
            if name not in {AUTHOR, CHECKS}
        ),
        "checks": "; ".join(checks_in(memory.metadata)),
        "pin": "pinned" if standing.pinned else "",
    }
