"""Vector indexes that can tell whether their files are whole.

It stands apart from the other ports of finding, so that a store which asks for it at run time
loads none of what those need.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    from holdfast.ports.finding import VectorSource


@runtime_checkable
class CheckedIndex(Protocol):
    """An index that compares its files with checksums; a plug-in may be one as well."""

    @property
    def notices(self) -> Sequence[str]:
        """Say what was wrong with the files since they were opened; answers must not suffer."""
        ...

    def problem(self, source: VectorSource) -> str | None:
        """Check all of the files now, say what is wrong, and change nothing."""
        ...
