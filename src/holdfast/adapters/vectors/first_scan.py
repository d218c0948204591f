"""The first questions of a process: a scan without numpy, which takes longer to load than to scan.

Everything here is done by numkong on plain buffers, with the same 32-bit numbers as ever.
"""

from __future__ import annotations

import sys
import threading
from array import array
from math import hypot, inf
from typing import TYPE_CHECKING, Any, cast

from holdfast.adapters.vectors.merging import Found
from holdfast.adapters.vectors.shelf import NAME_BYTES

if TYPE_CHECKING:
    from holdfast.adapters.vectors.header import Header
    from holdfast.adapters.vectors.shelf import Shelf

_LARGEST = 127.0
_WIDTH = 64
_SLACK = 6.0 * 12.0**-0.5  # as for every scan: six times what is usual
_SEQUENCE_STEP = NAME_BYTES // 8
_SCALE_STEP = NAME_BYTES // 4
_SCALE_PLACE = 4


def numkong_alone() -> Any:  # noqa: ANN401 - it has no types
    """Return numkong without numpy; None where it is not installed, or cannot be had so.

    numkong loads numpy if it finds it, only to give it a few types that we do not use. It is
    not found while it is hidden, and that is done only while nobody else could look for it.
    """
    if sys.byteorder != "little" or threading.active_count() > 1 or "numpy" in sys.modules:
        return None
    loaded = cast("dict[str, object]", sys.modules)
    loaded["numpy"] = None
    try:
        import numkong
    except ImportError:
        return None
    finally:
        del loaded["numpy"]
    return numkong


class FirstScan:
    """Compares questions with all rows; the cosines of the last question are still known."""

    def __init__(self, numkong: Any) -> None:  # noqa: ANN401 - it has no types
        self._numkong = numkong
        self._scores: tuple[bytes, tuple[int, int], memoryview[float]] | None = None

    def best(
        self, question: bytes, shelf: Shelf, header: Header, *, changed: set[int], limit: int
    ) -> Found:
        """Return the best rows of those that have not changed."""
        if not header.count:
            return Found(rows=[], slack=0.0, is_all=True)
        names = memoryview(shelf.raw_names(0, header.count))
        owners, scales = names.cast("q"), names.cast("f")[_SCALE_PLACE::_SCALE_STEP]
        small, scale = _quantised(question)
        key = (header.birth, header.generation)
        if self._scores is None or self._scores[:2] != (question, key):
            dots = self._dots(small, shelf.raw_rows(header))
            scaled = self._numkong.multiply(self._numkong.multiply(dots, scales), scale)
            self._scores = (question, key, memoryview(scaled))
        scores, deep = self._scores[2], limit
        while True:
            places = self._largest(scores, deep)
            live = [
                (owner, scores[place])
                for place in places
                if (owner := owners[place * _SEQUENCE_STEP]) > 0 and owner not in changed
            ]
            if len(live) >= limit or deep >= header.count:
                break
            deep *= 2
        largest = float(self._numkong.max(scales))
        return Found(
            rows=live[:limit],
            slack=_SLACK * hypot(largest, scale),
            is_all=header.count <= limit or len(live) < limit,
        )

    def _dots(self, question: array[int], rows: memoryview) -> memoryview[float]:
        wide = len(question)
        asked = memoryview(question).cast("B").cast("b", (1, wide))
        table = rows.cast("b", (len(rows) // wide, wide))
        found = self._numkong.cdist(asked, table, "dot", out_dtype="f32")
        return memoryview(found).cast("B").cast("f")

    def _largest(self, scores: memoryview[float], limit: int) -> list[int]:
        """Return where the largest scores are, largest first, then first come.

        The largest of each short stretch are compared first: the best are in the best stretches.
        """
        count = len(scores)
        whole = count // _WIDTH
        least, stretches = -inf, [range(count)]
        if whole > limit:
            square = scores[: whole * _WIDTH].cast("B").cast("f", (whole, _WIDTH))
            peaks = memoryview(self._numkong.max(square, axis=1)).tolist()
            least = sorted(peaks)[-limit]
            best = [place * _WIDTH for place, peak in enumerate(peaks) if peak >= least]
            stretches = [range(place, place + _WIDTH) for place in best]
            stretches.append(range(whole * _WIDTH, count))
        near = [
            (-score, place)
            for stretch in stretches
            for place, score in zip(stretch, scores[stretch.start : stretch.stop], strict=True)
            if score >= least
        ]
        near.sort()
        return [place for _, place in near[:limit]]


def _quantised(question: bytes) -> tuple[array[int], float]:
    """Return the question as 8-bit numbers, and what they are to be multiplied by."""
    numbers = array("f")
    numbers.frombytes(question)
    largest = max(map(abs, numbers)) or 1.0
    scale = array("f", [largest / _LARGEST])[0]
    parts = array("f", [number / scale for number in numbers])
    return array("b", [round(part) for part in parts]), scale
