"""What a comparison found."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Comparison:
    """How many operations were compared, and the first differences."""

    subject: str
    operations: int = 0
    differences: list[str] = field(default_factory=list)

    def compare(self, operation: object, ours: object, theirs: object) -> None:
        """Count one operation, and note a difference."""
        self.operations += 1
        if ours != theirs:
            told = f"{operation!r}\n    holdfast  {ours!r:.400}\n    reference {theirs!r:.400}"
            self.differences.append(told)

    def __str__(self) -> str:
        head = (
            f"{self.subject}: {self.operations:,} operations, {len(self.differences)} differences"
        )
        return "\n  ".join([head, *self.differences[:5]])
