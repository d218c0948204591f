"""A model that is only a table: each word piece has a vector, and a text gets their mean.

It needs no neural runtime and embeds thousands of texts a second; it uses words, not sentences.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from holdfast.adapters.embedding.card import SCALES_FILE, TABLE_FILE
from holdfast.adapters.embedding.errors import ModelBrokenError, ToolsMissingError
from holdfast.adapters.embedding.installed_model import InstalledModel
from holdfast.domain.recall.finding import Vector

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy import float32, int8
    from numpy.typing import NDArray


_LARGEST = 127
# Frequent words carry little meaning. BERT's vocabulary is in order of frequency after its special
# tokens, and a word's frequency is about one over its rank; a word this frequent gets half the
# weight.
_FIRST_WORD = 996
_HALF = 1e-4


class StaticEmbedder(InstalledModel):
    """Embeds texts with an installed table."""

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[Vector]]:
        """Return the vectors of each text; a long one is split into at most eight windows."""
        room = self._card.max_tokens
        return [[self._vector(part) for part in self._windows(text, room=room)] for text in texts]

    def ask(self, question: str) -> Vector:
        """Return the vector of a question."""
        self._pieces.refuse_unread(question)
        return self._vector(self._pieces.pieces(question)[: self._card.max_tokens])

    def _vector(self, pieces: Sequence[int]) -> Vector:
        import numpy

        table, scales = self._table
        # A text without words gets the vector of the end token.
        chosen = list(pieces) or [self._pieces.last]
        total = scales[chosen] @ table[chosen].astype(numpy.float32)
        length = float(numpy.sqrt(numpy.square(total).sum()))
        if not numpy.isfinite(length) or length == 0:
            raise ModelBrokenError(name=self._card.name, problem="its table holds no direction")
        return Vector(model=self._model, values=(total / length).astype("<f4").tobytes())

    @cached_property
    def _table(self) -> tuple[NDArray[int8], NDArray[float32]]:
        try:
            import numpy
        except ImportError as error:
            raise ToolsMissingError(packages="numpy") from error
        try:
            table = numpy.load(self._folder / TABLE_FILE, mmap_mode="r", allow_pickle=False)
            scales = numpy.load(self._folder / SCALES_FILE, allow_pickle=False)
        except (OSError, ValueError) as error:
            problem = f"its table cannot be read: {error}"
            raise ModelBrokenError(name=self._card.name, problem=problem) from error
        if table.shape != (len(scales), self._model.dimension):
            raise ModelBrokenError(name=self._card.name, problem=f"its table is {table.shape}")
        return table, scales


def write_table(words: NDArray[float32], folder: Path) -> None:
    """Write the table of a model's own word vectors: centred, weighted, 8 bits each."""
    import numpy

    rank = numpy.maximum(numpy.arange(len(words)) - _FIRST_WORD, 1)
    frequency = 1 / (rank * numpy.log(len(words)))
    weight = _HALF / (_HALF + frequency)
    centred = words - words.mean(axis=0)
    scales = numpy.abs(centred).max(axis=1) / _LARGEST
    scales[scales == 0] = 1
    table = numpy.rint(centred / scales[:, None]).astype(numpy.int8)
    numpy.save(folder / TABLE_FILE, table)
    numpy.save(folder / SCALES_FILE, (scales * weight).astype(numpy.float32))
