"""The description file (card) of an installed model folder.

The errors of models, each with what to do about it.
"""

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING

from holdfast.domain.errors import NoMeaningError
from holdfast.domain.recall.finding import EmbeddingModel
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


_UNTIL_THEN = "until then memories are found by words only."


class ModelBrokenError(NoMeaningError, code="model-broken"):
    """An installed model cannot be used."""

    def __init__(self, *, name: str, problem: str) -> None:
        super().__init__(
            f"The model {name} cannot be used: {problem.rstrip('.')}.",
            f"Install it again; {_UNTIL_THEN}",
            name=name,
            reason=problem,
        )


class ModelMissingError(NoMeaningError, code="model-missing"):
    """A model is not installed."""

    def __init__(self, *, name: str) -> None:
        super().__init__(
            f"The model {name} is not installed.", f"Install it; {_UNTIL_THEN}", name=name
        )


class ModelNotFetchedError(NoMeaningError, code="model-not-fetched"):
    """The package of a model could not be downloaded, or has the wrong hash."""

    def __init__(self, *, name: str, package: str, problem: str) -> None:
        super().__init__(
            f"The model {name} could not be fetched: {problem.rstrip('.')}.",
            f"Nothing was changed; try again with a network, or fetch {package} elsewhere and"
            " install it from that file. Without a model memories are found by words only.",
            name=name,
            package=package,
            reason=problem,
        )


class WeightsDamagedError(NoMeaningError, code="weights-damaged"):
    """The weights of a model that this package carries are missing or changed."""

    def __init__(self, *, name: str, problem: str) -> None:
        super().__init__(
            f"The weights of {name}, which this package carries, cannot be used:"
            f" {problem.rstrip('.')}.",
            f"Nothing was changed. Install the package holdfast again; {_UNTIL_THEN}",
            name=name,
            reason=problem,
        )


class ModelNotWrittenError(NoMeaningError, code="model-not-written"):
    """The files of a model could not be written."""

    def __init__(self, *, name: str, problem: str, advice: str) -> None:
        super().__init__(
            f"The model {name} could not be written: {problem.rstrip('.')}.",
            f"Nothing was changed. {advice}",
            name=name,
            reason=problem,
        )


class ToolsMissingError(NoMeaningError, code="tools-missing"):
    """The packages that run models are not installed."""

    def __init__(self, *, packages: str, extra: str = "meaning") -> None:
        super().__init__(
            f"The chosen model needs {packages}, which is not installed.",
            f"Run: pip install 'holdfast[{extra}]'; {_UNTIL_THEN}",
            packages=packages,
            extra=extra,
        )


class PlugInBrokenError(NoMeaningError, code="plug-in-broken"):
    """An embedder from another package cannot be loaded."""

    def __init__(self, *, name: str, problem: str) -> None:
        super().__init__(
            f"The embedder '{name}' from another package cannot be loaded: {problem.rstrip('.')}.",
            "Repair or remove that package, or unset embedding.model.",
            name=name,
            reason=problem,
        )


_REMOTE_SETTINGS = "the settings embedding.url, embedding.key_env and embedding.key_file"


class RemoteFailedError(NoMeaningError, code="remote-failed"):
    """An embedder on the network does not answer, or its answer cannot be used."""

    def __init__(self, *, name: str, problem: str, setup: str = _REMOTE_SETTINGS) -> None:
        super().__init__(
            f"The embedder {name} {problem.rstrip('.')}.",
            f"Check {setup}, or choose another model; {_UNTIL_THEN}",
            name=name,
            reason=problem,
        )


class RemoteSizeError(NoMeaningError, code="remote-size"):
    """An embedder on the network returns vectors of another size."""

    def __init__(self, *, name: str, size: int, wanted: int) -> None:
        super().__init__(
            f"The embedder {name} returns vectors with {size} numbers instead of {wanted}.",
            f"Nothing was stored. If {size} is correct, set embedding.dimension to {size}.",
            name=name,
            size=size,
            wanted=wanted,
        )


class RemoteBudgetError(NoMeaningError, code="remote-budget"):
    """A run has spent its budget for an embedder on the network."""

    def __init__(self, *, name: str, what: str, most: int) -> None:
        super().__init__(
            f"The embedder {name} is not asked again: this run may spend {most:,} {what}.",
            f"Vectors that were made are kept, and the next run goes on. Raise embedding.{what} to"
            f" allow more; {_UNTIL_THEN}",
            name=name,
            what=what,
            most=most,
        )


class RemoteNotChosenError(NoMeaningError, code="remote-not-chosen"):
    """A variable or a file of a repository chose an embedder on the network, not a person."""

    def __init__(self, *, source: str) -> None:
        super().__init__(
            f"{source} cannot choose an embedder on the network, nor its address.",
            "Such an embedder receives every claim, and a repository can contain settings, and set"
            " variables of the tools that it configures. Choose it in your own settings, outside"
            f" of every repository; {_UNTIL_THEN}",
            source=source,
        )


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
