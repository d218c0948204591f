"""The description file (card) of an installed model folder.

The errors of models, each with what to do about it.
"""

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING

from holdfast.adapters.embedding.errors import ModelBrokenError
from holdfast.domain.recall.finding import EmbeddingModel
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


CARD_FILE = "card.json"
GRAPH_FILE = "model.onnx"
WEIGHTS_FILE = "weights.bin"
TABLE_FILE = "table.npy"
SCALES_FILE = "scales.npy"
VOCABULARY_FILE = "vocabulary.txt"
_FORMAT = 1
_FINGERPRINT_DIGITS = 8
_BLOCK = 1 << 20
# That of kelp is minilm's value times the ratio of their means over 2,400 pairs of six sets: 0.055
# to 0.127 (decision 132). A folder that was built from its first version keeps that one's value.
_UNRELATED = {"minilm": 0.1, "e5-small": 0.75, "gte-small": 0.76, "kelp": 0.05}
_UNRELATED_BEFORE = {"holdfast: kelp 1": 0.07}


@dataclass(frozen=True, slots=True, kw_only=True)
class Sealed:
    """The size and the hash of a file."""

    size: int
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """One model: its origin, how it reads a text, and its files."""

    name: str
    title: str
    source: str
    licence: str
    dimension: int
    max_tokens: int
    pooling: str
    question_prefix: str
    passage_prefix: str
    files: Mapping[str, Sealed]

    @property
    def is_static(self) -> bool:
        """Return whether the model is a word table that needs no neural runtime."""
        return TABLE_FILE in self.files

    @property
    def size(self) -> int:
        """Return the total size of its files in bytes."""
        return sum(file.size for file in self.files.values())

    @property
    def unrelated(self) -> float:
        """Return the cosine similarity of unrelated texts: measured on public sets, by name."""
        return _UNRELATED_BEFORE.get(self.source, _UNRELATED.get(self.name, 0.0))

    @property
    def model(self) -> EmbeddingModel:
        """Return the model id of its vectors; another file or prefix gives another id."""
        parts = [self.pooling, self.question_prefix, self.passage_prefix, str(self.max_tokens)]
        parts += [f"{name}:{file.sha256}" for name, file in sorted(self.files.items())]
        fingerprint = hashlib.sha256("\n".join(parts).encode()).hexdigest()[:_FINGERPRINT_DIGITS]
        return EmbeddingModel(name=f"{self.name}@{fingerprint}", dimension=self.dimension)

    def as_json(self) -> dict[str, object]:
        """Return the card as JSON values."""
        return {
            "format": _FORMAT,
            "name": self.name,
            "title": self.title,
            "source": self.source,
            "licence": self.licence,
            "dimension": self.dimension,
            "max_tokens": self.max_tokens,
            "pooling": self.pooling,
            "question_prefix": self.question_prefix,
            "passage_prefix": self.passage_prefix,
            "files": {
                name: {"size": file.size, "sha256": file.sha256}
                for name, file in sorted(self.files.items())
            },
        }


def sealed(path: Path) -> Sealed:
    """Return the size and the hash of a file."""
    digest, size = hashlib.sha256(), 0
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
            size += len(block)
    return Sealed(size=size, sha256=digest.hexdigest())


def read_card(folder: Path) -> Card | None:
    """Return the card of a model folder; None if no model is installed.

    Raises:
        ModelBrokenError: There is a card, but it is unreadable or has an unknown format.
    """
    import json

    path = folder / CARD_FILE
    try:
        text = path.read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise _unreadable(path, folder.name) from error
    try:
        shape = json.loads(text)
        _refuse_newer(shape["format"], folder.name)
        return _card(shape)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise _unreadable(path, folder.name) from error


def write_card(card: Card, folder: Path) -> None:
    """Write the card into a model folder."""
    import json

    text = json.dumps(card.as_json(), indent=2, ensure_ascii=False)
    (folder / CARD_FILE).write_text(text + "\n", encoding="utf-8")


def check_sizes(card: Card, folder: Path) -> None:
    """Check that every file exists and has the right size; it costs one stat call per file.

    Raises:
        ModelBrokenError: One is missing or has another size.
    """
    for name, file in card.files.items():
        try:
            size = os.stat(folder / name).st_size  # noqa: PTH116 - the cheapest way to ask
        except OSError as error:
            problem = f"its file {folder / name} is gone"
            raise ModelBrokenError(name=card.name, problem=problem) from error
        if size != file.size:
            problem = f"{folder / name} has {size:,} bytes instead of {file.size:,}"
            raise ModelBrokenError(name=card.name, problem=problem)


def _unreadable(path: Path, name: str) -> ModelBrokenError:
    return ModelBrokenError(name=name, problem=f"its card {path} cannot be read")


def _refuse_newer(version: object, name: str) -> None:
    if isinstance(version, int) and version > _FORMAT:
        problem = (
            f"a newer version of holdfast built it; its format is {version}, and this version"
            f" reads {_FORMAT}"
        )
        raise ModelBrokenError(name=name, problem=problem)


def _card(shape: dict[str, object]) -> Card:
    files, dimension = shape["files"], shape["dimension"]
    max_tokens = shape["max_tokens"]
    if shape["format"] != _FORMAT or not isinstance(files, dict) or not files:
        raise ValueError
    if not isinstance(dimension, int) or not isinstance(max_tokens, int) or dimension < 1:
        raise TypeError
    return Card(
        name=str(shape["name"]),
        title=str(shape["title"]),
        source=str(shape["source"]),
        licence=str(shape["licence"]),
        dimension=dimension,
        max_tokens=max_tokens,
        pooling=str(shape["pooling"]),
        question_prefix=str(shape["question_prefix"]),
        passage_prefix=str(shape["passage_prefix"]),
        files={
            str(name): Sealed(size=int(file["size"]), sha256=str(file["sha256"]))
            for name, file in files.items()
        },
    )
