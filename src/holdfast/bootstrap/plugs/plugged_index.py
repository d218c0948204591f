"""The vector index of another package; while it fails, the vectors in the store answer."""

from __future__ import annotations

from contextlib import suppress
from importlib.util import find_spec
from math import isfinite
from typing import TYPE_CHECKING

from holdfast.adapters.sqlite.recall.plain_index import PlainIndex
from holdfast.bootstrap.plugs.plugging import PlugIn
from holdfast.domain.errors import UnavailableError
from holdfast.domain.lookup_errors import PlugInFailedError
from holdfast.domain.recall.finding import Nearest
from holdfast.domain.values import replace
from holdfast.ports.store.upkeep import CheckedIndex, MovableIndex, OutsideIndex

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from holdfast.domain.exchange.copies import IndexDigests
    from holdfast.ports.store.finding import VectorSource, VectorStore
    from holdfast.ports.store.upkeep import Progress

_REPLACED = "every vector in the store was compared, because of a plug-in: {problem}"


class PluggedIndex:
    """The index of one model that a plug-in makes; its results are validated before use."""

    def __init__(self, plug_in: PlugIn[VectorStore]) -> None:
        self._plug_in = plug_in
        self._substitute = _ComparedVectors()
        self._failure = ""

    @property
    def failure(self) -> str:
        """A note if the plug-in failed since the last search began; empty if it did not."""
        return self._failure

    def nearest(
        self, question: bytes, source: VectorSource, *, among: Sequence[int] | None, limit: int
    ) -> Nearest:
        """Return the memories that may be nearest; those of the store if the plug-in fails.

        Raises:
            NoMeaningError: The plug-in says that its vectors cannot be reached.
        """
        self._failure = ""
        try:
            return self._plug_in.asked(
                lambda made: _possible(
                    made.nearest(question, source, among=among, limit=limit), source, limit
                )
            )
        except PlugInFailedError as error:
            self._note(error)
            return self._substitute.nearest(question, source, among=among, limit=limit)

    def likeness(self, question: bytes, vectors: Mapping[int, bytes]) -> Mapping[int, float]:
        """Return the cosine of each memory, by the nearest of its vectors."""
        try:
            return self._plug_in.asked(
                lambda made: _complete(made.likeness(question, vectors), vectors)
            )
        except PlugInFailedError as error:
            self._note(error)
            return self._substitute.likeness(question, vectors)

    def scrub(self, source: VectorSource) -> None:
        """Let the plug-in remove what the source does not have.

        Raises:
            PlugInFailedError: It failed, so its files may still have forgotten vectors.
        """
        self._plug_in.asked(lambda made: made.scrub(source))

    @property
    def notices(self) -> Sequence[str]:
        """Return what the plug-in found wrong with its files."""
        made = self._plug_in.made
        if not isinstance(made, CheckedIndex):
            return ()
        with suppress(UnavailableError):
            return self._plug_in.asked(lambda _: tuple(map(str, made.notices)))
        return ()

    def problem(self, source: VectorSource) -> str | None:
        """Return what is wrong with the index, if the plug-in can tell.

        Raises:
            PlugInFailedError: The plug-in fails.
            NoMeaningError: The plug-in says that its vectors cannot be reached.
        """
        return self._plug_in.asked(
            lambda made: made.problem(source) if isinstance(made, CheckedIndex) else None
        )

    def copy(self, source: VectorSource, progress: Progress) -> int:
        """Let the plug-in copy the vectors that it lacks.

        Raises:
            PlugInFailedError: It fails, or no vectors can be copied into it.
        """
        return self._plug_in.asked(lambda made: self._movable(made).copy(source, progress))

    def digests(self, source: VectorSource) -> IndexDigests:
        """Return the hash of each row of the plug-in.

        Raises:
            PlugInFailedError: It fails, or its rows cannot be compared.
        """
        return self._plug_in.asked(lambda made: self._movable(made).digests(source))

    def discard(self, source: VectorSource) -> None:
        """Let a plug-in with a database of its own remove the vectors from it.

        Raises:
            PlugInFailedError: It failed, so the vectors may still be there.
        """
        self._plug_in.asked(
            lambda made: made.discard(source) if isinstance(made, OutsideIndex) else None
        )

    def close(self) -> None:
        """Close the plug-in; the index is derived, so nothing is lost if that fails."""
        if self._plug_in.made is not None:
            with suppress(UnavailableError):
                self._plug_in.asked(lambda made: made.close())

    def _note(self, error: PlugInFailedError) -> None:
        self._failure = _REPLACED.format(problem=str(error).rstrip("."))

    def _movable(self, made: VectorStore) -> MovableIndex:
        if not isinstance(made, MovableIndex):
            raise self._plug_in.failed(problem="vectors cannot be copied into it")
        return made


class _ComparedVectors(PlainIndex):
    """Compares every vector of the store: with numpy if it is installed."""

    def likeness(self, question: bytes, vectors: Mapping[int, bytes]) -> Mapping[int, float]:
        """Return the cosine of each memory, by the nearest of its vectors."""
        if find_spec("numpy") is None:
            return super().likeness(question, vectors)
        from holdfast.adapters.vectors.scanning import likeness_of

        return likeness_of(question, vectors)


def _possible(near: Nearest, source: VectorSource, limit: int) -> Nearest:
    """Return a result of memories that the source has.

    Raises:
        ValueError: It has another memory, or something that is no cosine.
    """
    found = [(sequence, float(cosine)) for sequence, cosine in near.found]
    names = [sequence for sequence, _ in found]
    is_sound = all(isinstance(name, int) for name in names) and isfinite(float(near.slack))
    if not is_sound or not all(isfinite(cosine) for _, cosine in found):
        no_numbers = "nearest returned something else than sequences with cosines"
        raise ValueError(no_numbers)
    if len(source.vectors(names)) != len(names):
        unknown = "nearest returned memories that the store does not have, or one of them twice"
        raise ValueError(unknown)
    # Fewer than were asked for are all that there are: asking for more would never end.
    is_all = bool(near.is_all) or len(found) < limit
    return replace(near, found=tuple(found), slack=float(near.slack), is_all=is_all)


def _complete(found: Mapping[int, float], vectors: Mapping[int, bytes]) -> Mapping[int, float]:
    """Return the cosine of each of these memories.

    Raises:
        ValueError: One is missing, or is no number.
    """
    cosines = {sequence: float(found[sequence]) for sequence in vectors}
    if not all(isfinite(cosine) for cosine in cosines.values()):
        no_number = "likeness returned something else than numbers"
        raise ValueError(no_number)
    return cosines
