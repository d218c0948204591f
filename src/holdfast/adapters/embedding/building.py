"""Builds a usable model folder from the weights of a package.

Finds the files of a model in a folder or an archive.
"""

from __future__ import annotations

import json
import shutil
import tarfile
import zipfile
from pathlib import Path, PurePosixPath
from typing import IO, TYPE_CHECKING

from holdfast.adapters.embedding.card import (
    CARD_FILE,
    GRAPH_FILE,
    SCALES_FILE,
    TABLE_FILE,
    VOCABULARY_FILE,
    WEIGHTS_FILE,
    Card,
    ToolsMissingError,
    read_card,
    sealed,
    write_card,
)
from holdfast.adapters.embedding.fetching import comes_from
from holdfast.adapters.embedding.graph import FIRST, MEAN, encoder_graph, read_weights, unusable
from holdfast.adapters.embedding.static import write_table
from holdfast.adapters.embedding.wordpiece import WordPieces
from holdfast.domain.errors import BadFieldError
from holdfast.domain.values import dataclass, replace

if TYPE_CHECKING:
    from collections.abc import Iterator

    from holdfast.adapters.embedding.graph import Weights
    from holdfast.adapters.embedding.registry import ModelSource


_NAMES = {
    CARD_FILE,
    GRAPH_FILE,
    SCALES_FILE,
    TABLE_FILE,
    VOCABULARY_FILE,
    WEIGHTS_FILE,
    "vocab.txt",
    "tokenizer.json",
    "config.json",
    "config_sentence_transformers.json",
}
_ENDINGS = (".safetensors", ".onnx", ".onnx.data", ".onnx_data", ".tar.gz")
_ARCHIVES = (".whl", ".zip", ".tgz", ".tar.gz", ".tar")
_DEEPEST = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """The files of a model that is not built yet."""

    weights: Path
    vocabulary: Path | None
    config: dict[str, object]
    pooling: dict[str, object]
    prompts: dict[str, object]


def unpacked(path: Path, into: Path) -> Path:
    """Return a folder with the usable files of a folder or an archive.

    Raises:
        BadFieldError: It does not exist, is no supported archive, or is damaged.
    """
    if path.is_dir():
        return path
    if not path.is_file():
        raise BadFieldError(field=f"model file {path}", problem="is not there.")
    _unpack(path, into, depth=0)
    return into


def built_folder(folder: Path) -> Path | None:
    """Return the subfolder with a model that Holdfast built, if there is one."""
    return next((card.parent for card in _found(folder, CARD_FILE)), None)


def parts_of(folder: Path, *, member: str) -> Parts:
    """Return the files to build a model from; of several, those at ``member``.

    Raises:
        BadFieldError: It has no weights.
    """
    candidates = [*_found(folder, "*.safetensors"), *_found(folder, "*.onnx")]
    if not candidates:
        raise BadFieldError(
            field=f"model in {folder}",
            problem="is not there: neither model.safetensors nor an ONNX graph is in it.",
        )
    fitting = [path for path in candidates if path.as_posix().endswith(member)]
    weights = (fitting or candidates)[0]
    around = [weights.parent, weights.parent.parent]
    return Parts(
        weights=weights,
        vocabulary=_first(around, "vocab.txt") or _first(around, "tokenizer.json"),
        config=_json(_first(around, "config.json")),
        pooling=_json(_first(around, "1_Pooling/config.json")),
        prompts=_json(_first(around, "config_sentence_transformers.json")),
    )


def _found(folder: Path, pattern: str) -> list[Path]:
    return sorted(folder.rglob(pattern), key=lambda path: (len(path.parts), path.as_posix()))


def _first(folders: list[Path], name: str) -> Path | None:
    return next((path for folder in folders if (path := folder / name).is_file()), None)


def _json(path: Path | None) -> dict[str, object]:
    if path is None:
        return {}
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise unusable(path, "is not JSON.") from error
    return found if isinstance(found, dict) else {}


def _unpack(archive: Path, into: Path, *, depth: int) -> None:
    try:
        for name, stream in _members(archive):
            target = into.joinpath(*_safe_parts(name))
            target.parent.mkdir(parents=True, exist_ok=True)
            with stream, target.open("wb") as file:
                shutil.copyfileobj(stream, file, 1 << 20)
            if name.endswith(".tar.gz") and depth < _DEEPEST:
                _unpack(target, target.parent, depth=depth + 1)
                target.unlink()
    except (zipfile.BadZipFile, tarfile.TarError, EOFError, zipfile.LargeZipFile) as error:
        raise unusable(archive, "is cut short or damaged; fetch it again.") from error


def _members(archive: Path) -> Iterator[tuple[str, IO[bytes]]]:
    """Yield only the usable files of an archive."""
    if zipfile.is_zipfile(archive):
        with zipfile.ZipFile(archive) as bundle:
            for entry in bundle.infolist():
                if not entry.is_dir() and _is_wanted(entry.filename):
                    yield entry.filename, bundle.open(entry)
    elif archive.name.endswith(_ARCHIVES):
        with tarfile.open(archive) as bundle:
            for member in bundle:
                if member.isfile() and _is_wanted(member.name):
                    stream = bundle.extractfile(member)
                    if stream is not None:
                        yield member.name, stream
    else:
        kinds = ", ".join(_ARCHIVES)
        raise unusable(archive, f"is no archive we know; there are {kinds}, or give a folder.")


def _is_wanted(name: str) -> bool:
    last = PurePosixPath(name).name
    return last in _NAMES or last.endswith(_ENDINGS)


def _safe_parts(name: str) -> tuple[str, ...]:
    """Return the path inside the archive, without parts that lead out of the folder."""
    return tuple(part for part in PurePosixPath(name).parts if part not in {"/", "..", "."})


BERT_WORDS = Path(__file__).with_name("bert_uncased.txt")
_BERT_SIZE = 30_522
_HEAD_SIZE = 32
_LONGEST = 256
_EPSILON = 1e-12
_SMALLEST_OUTSIDE = 1024
_TABLE_NEEDS, _GRAPH_NEEDS = ("numpy",), ("numpy", "onnx", "onnxruntime")


def check_tools(source: ModelSource | None) -> None:
    """Check that the packages that build and run a model are installed.

    Raises:
        ToolsMissingError: Something is missing; the hint says how to get it.
    """
    from importlib.util import find_spec

    needed = _TABLE_NEEDS if source is not None and source.is_static else _GRAPH_NEEDS
    if missing := [name for name in needed if find_spec(name) is None]:
        raise ToolsMissingError(packages=" and ".join(missing))


def build(name: str, given: Path, folder: Path, *, source: ModelSource | None, work: Path) -> Card:
    """Build a model from a folder or an archive; return its card.

    Raises:
        BadFieldError: The input is no model, or no model that can be built here.
    """
    found = unpacked(given, work)
    if (ours := built_folder(found)) is not None:
        return _copied(name, ours, folder)
    parts = parts_of(found, member=source.member if source else "")
    weights = read_weights(parts.weights)
    words, dimension = weights["embeddings.word_embeddings.weight"].shape
    if parts.vocabulary is None and words != _BERT_SIZE:
        raise unusable(parts.weights, "has no vocab.txt or tokenizer.json beside it.")
    if source is not None and source.is_static:
        write_table(weights["embeddings.word_embeddings.weight"], folder)
    else:
        _write_graph(weights, parts, folder, source)
    _write_vocabulary(parts, folder)
    files = {path.name: sealed(path) for path in folder.iterdir()}
    card = replace(_card(name, given, parts, int(dimension), source), files=files)
    write_card(card, folder)
    return card


def _copied(name: str, ours: Path, folder: Path) -> Card:
    card = read_card(ours)
    if card is None or any("/" in file or file.startswith(".") for file in card.files):
        raise unusable(ours / CARD_FILE, "does not describe a model.")
    for file, seal in card.files.items():
        if not (ours / file).is_file() or sealed(ours / file) != seal:
            raise unusable(ours / file, "is not the file its card describes.")
        shutil.copyfile(ours / file, folder / file)
    renamed = replace(card, name=name)
    write_card(renamed, folder)
    return renamed


def _write_graph(weights: Weights, parts: Parts, folder: Path, source: ModelSource | None) -> None:
    from onnx import save

    dimension = weights["embeddings.word_embeddings.weight"].shape[1]
    activation = parts.config.get("hidden_act", "gelu")
    if activation != "gelu":
        raise unusable(parts.weights, f"uses the activation {activation}; only gelu is known.")
    try:
        graph = encoder_graph(
            weights,
            heads=_heads(parts, source, dimension),
            pooling=_pooling(parts),
            epsilon=_number(parts.config, "layer_norm_eps", _EPSILON),
        )
    except KeyError as error:
        raise unusable(parts.weights, f"lacks the weights {error.args[0]}.") from error
    # The weights are outside the graph, so that a reader maps them into memory without a copy.
    save(
        graph,
        folder / GRAPH_FILE,
        save_as_external_data=True,
        location=WEIGHTS_FILE,
        size_threshold=_SMALLEST_OUTSIDE,
    )


def _heads(parts: Parts, source: ModelSource | None, dimension: int) -> int:
    heads = int(_number(parts.config, "num_attention_heads", 0))
    heads = heads or (source.heads if source else dimension // _HEAD_SIZE)
    if heads < 1 or dimension % heads:
        raise unusable(parts.weights, f"cannot have {heads} heads over {dimension} numbers.")
    return heads


def _pooling(parts: Parts) -> str:
    return FIRST if parts.pooling.get("pooling_mode_cls_token") is True else MEAN


def _number(config: dict[str, object], name: str, default: float) -> float:
    value = config.get(name, default)
    return value if isinstance(value, int | float) else default


def _write_vocabulary(parts: Parts, folder: Path) -> None:
    target = folder / VOCABULARY_FILE
    path = parts.vocabulary
    if path is None:
        shutil.copyfile(BERT_WORDS, target)
    elif path.name == "vocab.txt":
        target.write_text(path.read_text(encoding="utf-8").rstrip("\n"), encoding="utf-8")
    else:
        target.write_text("\n".join(_pieces(path)), encoding="utf-8")
    WordPieces.read(target)


def _pieces(path: Path) -> list[str]:
    """Return the tokens of a tokenizer.json in order."""
    try:
        shape = json.loads(path.read_text(encoding="utf-8"))
        model, normalizer = shape["model"], shape["normalizer"]
        if model["type"] != "WordPiece" or not normalizer.get("lowercase"):
            raise unusable(path, "is no uncased WordPiece vocabulary.")
        return sorted(model["vocab"], key=model["vocab"].__getitem__)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise unusable(path, "is no tokenizer we can read.") from error


def _card(name: str, given: Path, parts: Parts, dimension: int, source: ModelSource | None) -> Card:
    if source is not None:
        return Card(
            name=name,
            title=source.title,
            source=source.origin if comes_from(source, given) else f"file: {given.name}",
            licence=source.licence,
            dimension=dimension,
            max_tokens=source.max_tokens,
            pooling=_pooling(parts),
            question_prefix=source.question_prefix,
            passage_prefix=source.passage_prefix,
            files={},
        )
    prompts = parts.prompts.get("prompts")
    said = prompts if isinstance(prompts, dict) else {}
    return Card(
        name=name,
        title=name,
        source=f"file: {given.name}",
        licence="not stated",
        dimension=dimension,
        max_tokens=_LONGEST,
        pooling=_pooling(parts),
        question_prefix=str(said.get("query", "")),
        passage_prefix=str(said.get("passage", said.get("document", ""))),
        files={},
    )
