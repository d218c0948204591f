"""Builds a usable model folder from the weights of a package.

Finds the files of a model in a folder or an archive.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.adapters.embedding.card import (
    CARD_FILE,
    GRAPH_FILE,
    VOCABULARY_FILE,
    WEIGHTS_FILE,
    Card,
    read_card,
    sealed,
    write_card,
)
from holdfast.adapters.embedding.errors import ToolsMissingError
from holdfast.adapters.embedding.fetching import comes_from
from holdfast.adapters.embedding.graph import FIRST, MEAN, encoder_graph
from holdfast.adapters.embedding.model_parts import Parts, built_folder, parts_of, unpacked
from holdfast.adapters.embedding.static import write_table
from holdfast.adapters.embedding.weights import read_weights, unusable
from holdfast.adapters.embedding.wordpiece import WordPieces
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from holdfast.adapters.embedding.graph import Weights
    from holdfast.adapters.embedding.known_models import ModelSource


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
