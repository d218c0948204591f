"""Resolves the name of an embedder: an installed model or a plug-in.

Caches embeddings in memory, so that a process embeds each text once.

Opens an installed model folder as an embedder.

The models known by name: their authors, packages and input formats.
"""

from __future__ import annotations

import hashlib
import os
from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING

from holdfast.adapters.embedding.card import CARD_FILE, read_card
from holdfast.adapters.embedding.known_models import KNOWN

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from holdfast.adapters.embedding.card import Card
    from holdfast.domain.recall.finding import EmbeddingModel, Vector
    from holdfast.ports.recall.models import Embedder


GROUP = "holdfast.embedder"
NONE = "none"


def installed(folder: Path) -> tuple[str, ...]:
    """Return the names of the models in a folder, in order; costs one listing and a stat each."""
    try:
        names = sorted(os.listdir(folder))  # noqa: PTH208 - the names are all we want
    except OSError:
        return ()
    return tuple(name for name in names if not name.startswith(".") and _is_model(folder / name))


def installed_in(name: str, folders: Sequence[Path]) -> Path:
    """Return the first folder that has the model; the first folder if none has it."""
    return next((folder for folder in folders if _is_model(folder / name)), folders[0])


def is_installed(name: str, folders: Sequence[Path]) -> bool:
    """Return whether one of the folders has the model."""
    return any(_is_model(folder / name) for folder in folders)


def open_embedder(name: str, *folders: Path) -> Embedder | None:
    """Return the embedder of that name, or None if it is not installed.

    Only the card is loaded, because every start calls this.

    Raises:
        NoMeaningError: It is installed, but broken.
    """
    if name == NONE:
        return None
    place = installed_in(name, folders) / name
    if _is_model(place):
        card = read_card(place)
        return None if card is None else open_card(card, place)
    return _plugged_in(name)


def _is_model(folder: Path) -> bool:
    """Return whether a folder has a readable model; a folder without access counts as none."""
    return os.path.exists(folder / CARD_FILE)  # noqa: PTH110 - a path's own way raises there


def _plugged_in(name: str) -> Embedder | None:
    if name in KNOWN:
        return None
    from importlib.metadata import entry_points

    for point in entry_points(group=GROUP):
        if point.name == name:
            from holdfast.adapters.embedding.plugged import PluggedEmbedder

            return PluggedEmbedder(name, point.load)
    return None


_MOST = 4096


class CachedEmbedder:
    """An embedder with a cache by text hash; the least recently used entry is dropped first."""

    def __init__(self, embedder: Embedder, *, most: int = _MOST) -> None:
        self._embedder = embedder
        self._most = most
        self._kept: OrderedDict[bytes, tuple[Vector, ...]] = OrderedDict()
        self._lock = Lock()

    @property
    def model(self) -> EmbeddingModel:
        """The underlying model."""
        return self._embedder.model

    @property
    def unrelated(self) -> float:
        """The cosine similarity of unrelated texts."""
        return self._embedder.unrelated

    @property
    def foreign(self) -> float | None:
        """The cosine similarity of unrelated texts that are not English, if it is known."""
        found: float | None = getattr(self._embedder, "foreign", None)
        return found

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[Vector]]:
        """Return the vectors of each text; only texts outside the cache are embedded, once each."""
        keys = [_key("p", text) for text in texts]
        found = {key: kept for key in set(keys) if (kept := self._get(key)) is not None}
        fresh = {key: text for key, text in zip(keys, texts, strict=True) if key not in found}
        if fresh:
            made = self._embedder.embed(list(fresh.values()))
            for key, vectors in zip(fresh, made, strict=True):
                found[key] = tuple(vectors)
                self._put(key, found[key])
        return [found[key] for key in keys]

    def ask(self, question: str) -> Vector:
        """Return the vector of a question."""
        key = _key("q", question)
        kept = self._get(key)
        if kept is None:
            kept = (self._embedder.ask(question),)
            self._put(key, kept)
        return kept[0]

    def _get(self, key: bytes) -> tuple[Vector, ...] | None:
        with self._lock:
            kept = self._kept.get(key)
            if kept is not None:
                self._kept.move_to_end(key)
            return kept

    def _put(self, key: bytes, vectors: tuple[Vector, ...]) -> None:
        with self._lock:
            self._kept[key] = vectors
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)


def _key(role: str, text: str) -> bytes:
    return hashlib.sha256(f"{role} {text}".encode("utf-8", "surrogatepass")).digest()


def open_card(card: Card, folder: Path) -> Embedder:
    """Return the embedder of a model; it is loaded when the first text is embedded."""
    if card.is_static:
        from holdfast.adapters.embedding.static import StaticEmbedder

        return CachedEmbedder(StaticEmbedder(card, folder))
    from holdfast.adapters.embedding.onnx import OnnxEmbedder

    return CachedEmbedder(OnnxEmbedder(card, folder))
