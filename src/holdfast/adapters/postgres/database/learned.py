"""Caches results that stay true while a store is open."""

from __future__ import annotations

import threading
from time import monotonic
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from holdfast.adapters.sqlite.database.rows import Row, Value

    Values = tuple[Value, ...]
    Measured = tuple[bytes | None, dict[str, float]]

_MOST_PLACES = 1_000
_ESTIMATE_SECONDS = 60.0


class Learned:
    """Places with too many memories to list, how common words are, and how many vectors there are.

    The first two are kept with a sign that the transaction reads anyway, and count only while the
    sign is the same: how many memories were removed so far, and the hash of the note about the
    words. The number of vectors beside those of a model is an estimate, kept for a minute.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._crowded: dict[tuple[Value, ...], int] = {}
        self._asked: bytes | None = None
        self._shares: Measured = (None, {})
        self._beside: dict[Values, tuple[float, list[Row]]] = {}

    def is_crowded(self, place: tuple[Value, ...], *, removed: int) -> bool:
        """Return whether a place has too many memories.

        Those that were added meanwhile make them only more.
        """
        return self._crowded.get(place) == removed

    def note_crowded(self, place: tuple[Value, ...], *, removed: int) -> None:
        """Note that a place has too many memories."""
        with self._lock:
            if len(self._crowded) >= _MOST_PLACES:
                self._crowded.clear()
            self._crowded[place] = removed

    def beside(self, model: Values, ask: Callable[[], list[Row]]) -> list[Row]:
        """Return about how many vectors are in the same partition as those of a model."""
        asked, rows = self._beside.get(model, (0.0, []))
        if not rows or monotonic() > asked + _ESTIMATE_SECONDS:
            rows = ask()
            self._beside[model] = monotonic(), rows
        return rows

    def shares(
        self, terms: Collection[str], note: bytes | None, everything: Callable[[], list[Row]]
    ) -> list[Row] | None:
        """Return how common these words are; None if only the store knows.

        The first question asks for its own words, as a program with one question does. The second
        one of the same measurement reads all of them.
        """
        if note is None:
            return None
        measured, known = self._shares
        if measured != note:
            with self._lock:
                is_first, self._asked = self._asked != note, note
            if is_first:
                return None
            known = {str(term): float(share) for term, share in everything()}
            self._shares = note, known
        return [(term, known[term]) for term in terms if term in known]
