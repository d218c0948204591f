"""The word embeddings of kelp, which other models in the package share."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from holdfast.adapters.embedding.errors import ToolsMissingError
from holdfast.adapters.embedding.fetching import carried
from holdfast.adapters.embedding.known_models import IN_THE_PACKAGE, KNOWN
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy import float32, generic
    from numpy.typing import NDArray

_WORDS = "embeddings.word_embeddings.weight"
_HEADER = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class WordTable:
    """Word embeddings in eight bits, and the scale of each."""

    words: NDArray[generic]
    scales: NDArray[float32]

    def embedded(self, row: Sequence[int]) -> NDArray[float32]:
        """Return the embeddings of one row of tokens, as the input of a graph."""
        import numpy

        tokens = list(row)
        found: NDArray[float32] = self.words[tokens].astype(numpy.float32) * self.scales[tokens]
        return found[None]


def shared_words() -> WordTable:
    """Return the table of kelp; its file is mapped, not read.

    Raises:
        WeightsDamagedError: The weights of kelp are missing or changed.
        ToolsMissingError: numpy is not installed.
    """
    try:
        import numpy
    except ImportError as error:
        raise ToolsMissingError(packages="numpy") from error
    kelp = KNOWN[IN_THE_PACKAGE]
    path = carried(kelp) / kelp.member
    with path.open("rb") as file:
        length = int.from_bytes(file.read(_HEADER), "little")
        entries = json.loads(file.read(length))
    start = _HEADER + length

    def stored(name: str, kind: str) -> NDArray[generic]:
        entry = entries[name]
        place = start + entry["data_offsets"][0]
        shape = tuple(entry["shape"])
        return numpy.memmap(path, numpy.dtype(kind), mode="r", offset=place, shape=shape)

    scales = stored(f"{_WORDS}.scale", "<f4").astype(numpy.float32)
    return WordTable(words=stored(_WORDS, "i1"), scales=scales)
