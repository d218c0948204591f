"""The properties of an installed model, and the pieces of a text that it reads."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from holdfast.adapters.embedding.card import VOCABULARY_FILE, check_sizes
from holdfast.adapters.embedding.wordpiece import WordPieces, windows

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from holdfast.adapters.embedding.card import Card
    from holdfast.domain.recall.finding import EmbeddingModel

_MOST_WINDOWS = 8


class InstalledModel:
    """A model in a folder; nothing is loaded before the first text."""

    def __init__(self, card: Card, folder: Path) -> None:
        self._card = card
        self._folder = folder
        self._model = card.model

    @property
    def model(self) -> EmbeddingModel:
        """The model."""
        return self._model

    @property
    def unrelated(self) -> float:
        """The cosine similarity of unrelated texts."""
        return self._card.unrelated

    @property
    def foreign(self) -> float | None:
        """The cosine similarity of unrelated texts that are not English, if it is another one."""
        return self._pieces.foreign(self._card.unrelated)

    @cached_property
    def _pieces(self) -> WordPieces:
        check_sizes(self._card, self._folder)
        return WordPieces.read(self._folder / VOCABULARY_FILE)

    def _windows(self, text: str, *, room: int) -> list[Sequence[int]]:
        return windows(self._pieces.pieces(text), room=room, most=_MOST_WINDOWS)
