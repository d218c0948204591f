"""Links between memories."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from holdfast.domain.errors import BadFieldError
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from holdfast.domain.ids import MemoryId

_KIND = re.compile(r"[a-z][a-z0-9-]{0,39}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A link from one memory to another, with a kind and a score; unique by the first three."""

    src: MemoryId
    dst: MemoryId
    kind: str
    score: float = 1.0

    def __post_init__(self) -> None:
        """Refuse a link to itself, a kind that is not a word, and a score out of range."""
        if self.src == self.dst:
            raise BadFieldError(field="link", problem="leads from a memory to itself.")
        if not _KIND.fullmatch(self.kind):
            raise BadFieldError(
                field="kind of link", problem=f"'{self.kind[:40]}' must be like 'depends-on'."
            )
        if not 0.0 <= self.score <= 1.0:
            raise BadFieldError(field="score", problem="must be between 0 and 1.")

    def other_end(self, memory_id: MemoryId) -> MemoryId:
        """Return the end that is not this one."""
        return self.dst if self.src == memory_id else self.src
