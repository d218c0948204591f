"""The surroundings of a command without secrets: folder, branch and lines that were read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.memory.evidence import RecordedSpan
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from holdfast.domain.memory.anchor import BranchPoint, FoundLines
    from holdfast.domain.memory.evidence import FilePlace
    from holdfast.domain.memory.place import Place
    from holdfast.ports.anchors.surroundings import SpanText, Surroundings
from holdfast.usecases.screening import SecretPolicy, screened

_LONGEST_PLAIN_PART = 11
_PARTS_OF_NAMES = str.maketrans("/-_.", "    ")
_SIGNS_OF_VALUES = frozenset("=:@?&%$ ")


class ScreenedSurroundings:
    """The surroundings of a command, in the form that may be stored."""

    def __init__(self, inner: Surroundings) -> None:
        self._inner = inner

    def place(self) -> Place:
        """Return the current place, with a note in place of each secret."""
        place = self._inner.place()
        workspace, branch = harmless(place.workspace), _maybe(place.branch)
        if (workspace, branch) == (place.workspace, place.branch):
            return place
        return replace(place, workspace=workspace, branch=branch)

    def branch_point(self) -> BranchPoint | None:
        """Return the branch point, with a note in place of each secret."""
        point = self._inner.branch_point()
        if point is None or (branch := _maybe(point.branch)) == point.branch:
            return point
        return replace(point, branch=branch)

    def main_branch(self) -> str | None:
        """Return the main branch, with a note in place of each secret."""
        return _maybe(self._inner.main_branch())

    def names_now(self, branches: Collection[str]) -> Mapping[str, str]:
        """Return renamed branches with their names now, with a note in place of each secret."""
        return {old: harmless(new) for old, new in self._inner.names_now(branches).items()}

    def read_lines(self, found: FoundLines) -> Sequence[str]:
        """Return some lines of a file as they are now; they are shown and never stored.

        Raises:
            EvidenceUnreadableError: The lines cannot be read.
        """
        return self._inner.read_lines(found)

    def read_span(self, place: FilePlace) -> SpanText:
        """Read the lines that evidence names; secrets in the symbol or branch are replaced.

        Raises:
            EvidenceUnreadableError: The lines cannot be read.
        """
        return harmless_span(self._inner.read_span(place))


def harmless_span(found: SpanText) -> SpanText:
    """Return lines that were read, with a note in place of each secret in their names."""
    anchor = found.anchor
    if anchor is None:
        return found
    symbol, branch = _maybe(anchor.symbol), _maybe(anchor.branch)
    if (symbol, branch) == (anchor.symbol, anchor.branch):
        return found
    return RecordedSpan(
        path=found.path,
        first=found.first,
        last=found.last,
        text_hash=found.text_hash,
        anchor=replace(anchor, symbol=symbol, branch=branch),
    )


def harmless(name: str) -> str:
    """Return a name with a note in place of each secret."""
    # Most names are short words; they need no secret rules, so these are not imported.
    parts = name.translate(_PARTS_OF_NAMES).split()
    is_plain = name.isascii() and max(map(len, parts), default=0) <= _LONGEST_PLAIN_PART
    if is_plain and _SIGNS_OF_VALUES.isdisjoint(name):
        return name

    return screened(name, what="name", secrets=SecretPolicy.REDACT)


def _maybe(name: str | None) -> str | None:
    return None if name is None else harmless(name)
