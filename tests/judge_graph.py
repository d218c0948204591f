"""A small graph with the inputs and the head of the judge in the package; it learned nothing."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy
from numpy.typing import NDArray
from onnx import TensorProto, helper

from holdfast.adapters.embedding.graph import MEAN
from training.reader_graph import ReaderGraph

_WIDTH, _INNER, _TOKENS, _PLACES, _HEADS = 384, 32, 30_522, 112, 12


@cache
def judge_graph(logits: Sequence[float], *, has_words: bool) -> bytes:
    """Return a graph of one layer that gives every pair the same numbers."""
    weights = _weights(logits, has_words=has_words)
    graph = ReaderGraph(weights, _PLACES)
    state = graph.embedded() if has_words else graph.placed()
    state = graph.layer("encoder.layer.0.", state, heads=_HEADS)
    score = graph.scored(graph.pooled(state, MEAN))
    given = helper.make_tensor_value_info("embedded", TensorProto.FLOAT, [1, "tokens", _WIDTH])
    if has_words:
        given = helper.make_tensor_value_info("input_ids", TensorProto.INT64, [1, "tokens"])
    made = helper.make_tensor_value_info(score, TensorProto.FLOAT, [1, len(logits)])
    whole: bytes = graph.model(given, made).SerializeToString()
    return whole


def _weights(logits: Sequence[float], *, has_words: bool) -> dict[str, NDArray[numpy.float32]]:
    def matrix(*shape: int) -> NDArray[numpy.float32]:
        return numpy.full(shape, 0.01, numpy.float32)

    prefix = "encoder.layer.0."
    shapes = {
        **{
            f"{prefix}attention.{part}": (_WIDTH, _WIDTH)
            for part in ("self.query", "self.key", "self.value", "output.dense")
        },
        f"{prefix}intermediate.dense": (_INNER, _WIDTH),
        f"{prefix}output.dense": (_WIDTH, _INNER),
    }
    norms = ("embeddings", f"{prefix}attention.output", f"{prefix}output")
    return {
        "embeddings.position_embeddings.weight": matrix(_PLACES, _WIDTH),
        "embeddings.token_type_embeddings.weight": matrix(2, _WIDTH),
        **({"embeddings.word_embeddings.weight": matrix(_TOKENS, _WIDTH)} if has_words else {}),
        **{f"{name}.weight": matrix(*shape) for name, shape in shapes.items()},
        **{f"{name}.bias": matrix(shape[0]) for name, shape in shapes.items()},
        **{f"{name}.LayerNorm.weight": matrix(_WIDTH) for name in norms},
        **{f"{name}.LayerNorm.bias": matrix(_WIDTH) for name in norms},
        "head.weight": numpy.zeros((len(logits), _WIDTH), numpy.float32),
        "head.bias": numpy.array(logits, numpy.float32),
    }
