"""Says how much of a commit's change is in the commit that took its place."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from holdfast.adapters.git.lineage.commit_changes import ADDED, REMOVED
from holdfast.domain.text.counting import counted
from holdfast.domain.text.outside import name_outside

if TYPE_CHECKING:
    from holdfast.adapters.git.lineage.commit_changes import Change, FileDiff

_MOST_FILES = 3


class ArrivedShare(NamedTuple):
    """How many changed lines of a commit arrived, of how many, and the files of which none did."""

    lines: int
    of: int
    absent: tuple[str, ...]

    @property
    def is_told(self) -> bool:
        """Whether the numbers say what is missing; white space and places do not show in them."""
        return self.lines < self.of

    def words(self, now: str) -> str:
        """Return what arrived and what did not; ``now`` is the commit that took the place."""
        if not self.lines:
            all_lines = (
                "its changed line" if self.of == 1 else f"any of its {self.of:,} changed lines"
            )
            return f"its change did not arrive: {now} took its place, without {all_lines}"
        part = f"{now} has {self.lines:,} of its {counted(self.of, 'changed line')}"
        if self.absent:
            names = ", ".join(map(name_outside, self.absent[:_MOST_FILES]))
            more = len(self.absent) - _MOST_FILES
            names += f" and {counted(more, 'other file')}" if more > 0 else ""
            part += f", and none of those in {names}"
        return f"only a part of its change arrived: {part}"


def share_of(old: Change, new: Change) -> ArrivedShare:
    """Return how much of one change another makes; a line may be in a renamed file."""
    there: Counter[tuple[bytes, bytes]] = sum(map(_lines, new.values()), Counter())
    wanted = {file.path: _lines(file) for file in old.values()}
    every: Counter[tuple[bytes, bytes]] = sum(wanted.values(), Counter())
    absent = sorted(
        path.decode("utf-8", "replace")
        for path, lines in wanted.items()
        if path and lines and not lines & there
    )
    return ArrivedShare((every & there).total(), every.total(), tuple(absent))


def _lines(file: FileDiff) -> Counter[tuple[bytes, bytes]]:
    return Counter((sign, line) for sign in (ADDED, REMOVED) for line in file.lines(sign))
