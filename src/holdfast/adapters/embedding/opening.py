"""Opens an installed model folder as an embedder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.adapters.embedding.cache import CachedEmbedder

if TYPE_CHECKING:
    from pathlib import Path

    from holdfast.adapters.embedding.card import Card
    from holdfast.ports.recall.embedder import Embedder


def open_card(card: Card, folder: Path) -> Embedder:
    """Return the embedder of a model; it is loaded when the first text is embedded."""
    if card.is_static:
        from holdfast.adapters.embedding.static import StaticEmbedder

        return CachedEmbedder(StaticEmbedder(card, folder))
    from holdfast.adapters.embedding.onnx import OnnxEmbedder

    return CachedEmbedder(OnnxEmbedder(card, folder))
