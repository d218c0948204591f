"""Places outside the store that may contain the text of a forgotten memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from holdfast.domain.review.traces import GoneText, Trace


class Traces(Protocol):
    """One such place: the pages of a clone, its history, or the folder of the store."""

    def remove(self, gone: GoneText) -> Sequence[Trace]:
        """Remove the text where Holdfast wrote it; return every place that contained it.

        Text that a person wrote must stay, and must be returned as left.
        """
        ...
