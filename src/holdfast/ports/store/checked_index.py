"""Vector indexes that can check whether their files are intact.

This port has a module of its own, so that a store that checks for it at run time does not import
the other ports of search.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    from holdfast.ports.store.finding import VectorSource


@runtime_checkable
class CheckedIndex(Protocol):
    """An index that compares its files with checksums; a plug-in may implement it too."""

    @property
    def notices(self) -> Sequence[str]:
        """The faults found in the files since they were opened; answers must stay correct."""
        ...

    def problem(self, source: VectorSource) -> str | None:
        """Check all files now and return what is wrong, or None; change nothing."""
        ...
