"""A BERT of one layer with weights by chance: small enough to build in every test."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from random import Random
from struct import pack

from holdfast.adapters.embedding.card import Card
from holdfast.adapters.embedding.model_folder import ModelFolder

DIMENSION = 64
_INNER = 128
_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
_WORDS = (
    *("the", "cat", "slept", "on", "mat", "a", "was", "sleeping", "where", "interest", "rates"),
    *("rose", "by", "half", "percent", "in", "march", ".", "?", ":", "query", "passage"),
)
VOCABULARY = (
    *("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"),
    *_WORDS,
    *(letter for letter in _LETTERS if letter not in _WORDS),
    *(f"##{letter}" for letter in _LETTERS),
)


def write_source(
    folder: Path, *, dimension: int = DIMENSION, seed: int = 1, layers: int = 1
) -> Path:
    """Write what a model is built from, as its makers publish it."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.safetensors").write_bytes(_safetensors(dimension, seed, layers))
    (folder / "vocab.txt").write_text("\n".join(VOCABULARY) + "\n", encoding="utf-8")
    config = {"model_type": "bert", "hidden_act": "gelu", "num_attention_heads": 2}
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    return folder


def install_tiny(shelf: ModelFolder, source: Path, name: str = "tiny", **chances: int) -> Card:
    """Build and install a tiny model."""
    write_source(source, **chances)
    return shelf.install(name, source, force=True, progress=lambda _done, _total: None)


def _weights(size: int, layers: int) -> dict[str, tuple[tuple[int, ...], float]]:
    """Every weight with its shape and how far it strays; a spread of 0 means ones."""
    found: dict[str, tuple[tuple[int, ...], float]] = {
        "embeddings.word_embeddings.weight": ((len(VOCABULARY), size), 1.0),
        "embeddings.position_embeddings.weight": ((256, size), 0.02),
        "embeddings.token_type_embeddings.weight": ((2, size), 0.02),
        **_norm("embeddings.LayerNorm", size),
    }
    for layer in range(layers):
        start = f"encoder.layer.{layer}."
        for part in ("query", "key", "value"):
            found |= _dense(f"{start}attention.self.{part}", size, size)
        found |= _dense(f"{start}attention.output.dense", size, size)
        found |= _dense(f"{start}intermediate.dense", _INNER, size)
        found |= _dense(f"{start}output.dense", size, _INNER)
        found |= _norm(f"{start}attention.output.LayerNorm", size)
        found |= _norm(f"{start}output.LayerNorm", size)
    return found


def _dense(name: str, out: int, into: int) -> dict[str, tuple[tuple[int, ...], float]]:
    return {f"{name}.weight": ((out, into), 0.05), f"{name}.bias": ((out,), 0.01)}


def _norm(name: str, size: int) -> dict[str, tuple[tuple[int, ...], float]]:
    return {f"{name}.weight": ((size,), 0.0), f"{name}.bias": ((size,), 0.01)}


@cache
def _safetensors(dimension: int, seed: int, layers: int) -> bytes:
    """Return a file of weights; to draw them takes longer than what most tests do with them."""
    chance = Random(seed)  # noqa: S311 - chance, no secret
    header: dict[str, object] = {"__metadata__": {"format": "pt"}}
    body = b""
    for name, (shape, spread) in _weights(dimension, layers).items():
        many = shape[0] * (shape[1] if len(shape) > 1 else 1)
        values = [chance.gauss(0, spread) if spread else 1.0 for _ in range(many)]
        content = pack(f"<{many}f", *values)
        where = [len(body), len(body) + len(content)]
        header[f"bert.{name}"] = {"dtype": "F32", "shape": list(shape), "data_offsets": where}
        body += content
    said = json.dumps(header).encode()
    return len(said).to_bytes(8, "little") + said + body
