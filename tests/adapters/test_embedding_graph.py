"""The graph of a model: its 8-bit products are the same on every processor."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import numpy
import pytest
from numpy.typing import NDArray
from onnx import ModelProto, numpy_helper

from holdfast.adapters.embedding.graph import MEAN, encoder_graph
from holdfast.adapters.embedding.weights import read_weights
from tests.adapters.tiny_model import DIMENSION, VOCABULARY, write_source
from tests.requirements import requirement

if TYPE_CHECKING:
    from holdfast.adapters.embedding.graph import Weights

DENSE = "DynamicQuantizeMatMul"
LONG_TEXT = numpy.arange(len(VOCABULARY), dtype=numpy.int64)[None, :]


@pytest.fixture
def weights(tmp_path: Path) -> Weights:
    """Weights of which many neighbours are large and of one sign, so that sums are large too."""
    found = read_weights(write_source(tmp_path) / "model.safetensors")
    return {
        name: abs(values) if name.startswith("encoder.") and values.ndim > 1 else values
        for name, values in found.items()
    }


def built(weights: Weights) -> ModelProto:
    return encoder_graph(weights, heads=2, pooling=MEAN, epsilon=1e-12)


def kept(model: ModelProto) -> dict[str, NDArray[numpy.generic]]:
    return {one.name: numpy_helper.to_array(one) for one in model.graph.initializer}


def unsigned(model: ModelProto) -> ModelProto:
    """Return the same graph with weights from 0 to 255, whose products no processor clips."""
    other = ModelProto()
    other.CopyFrom(model)
    arrays = kept(other)
    for node in other.graph.node:
        if node.op_type == DENSE:
            moved = (arrays[node.input[1]].astype(numpy.int16) + 128).astype(numpy.uint8)
            zero = numpy.full(moved.shape[1], 128, numpy.uint8)
            arrays |= {node.input[1]: moved, f"{node.name}.zero": zero}
            node.input[3] = f"{node.name}.zero"
    del other.graph.initializer[:]
    other.graph.initializer.extend(
        numpy_helper.from_array(values, name) for name, values in arrays.items()
    )
    return other


def vector(model: ModelProto) -> NDArray[numpy.float32]:
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    import onnxruntime  # noqa: PLC0415 - reads the variable when it is loaded

    session = onnxruntime.InferenceSession(
        model.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    return numpy.asarray(session.run(None, {"input_ids": LONG_TEXT})[0], numpy.float32)


@requirement("model.same-on-every-processor")
def test_no_sum_of_two_products_needs_more_than_sixteen_bits(weights: Weights) -> None:
    model = built(weights)
    arrays = kept(model)
    dense = [arrays[node.input[1]] for node in model.graph.node if node.op_type == DENSE]

    assert len(dense) == 6
    for matrix in dense:
        for half in (matrix.astype(int).clip(min=0), matrix.astype(int).clip(max=0)):
            sums = 255 * (half[0::2] + half[1::2])
            assert -(2**15) <= sums.min()
            assert sums.max() < 2**15
        assert abs(matrix.astype(int)).max(axis=0).min() >= 63


@requirement("model.same-on-every-processor")
def test_a_vector_is_the_one_of_exact_products(weights: Weights) -> None:
    model = built(weights)

    assert numpy.array_equal(vector(model), vector(unsigned(model)))


def test_an_odd_number_of_rows_has_a_last_row_without_a_neighbour(weights: Weights) -> None:
    name = "encoder.layer.0.output.dense.weight"
    inner = "encoder.layer.0.intermediate.dense"
    odd = {
        **weights,
        name: weights[name][:, :-1],
        f"{inner}.weight": weights[f"{inner}.weight"][:-1],
        f"{inner}.bias": weights[f"{inner}.bias"][:-1],
    }

    model = built(odd)

    assert kept(model)[name].shape == (127, DIMENSION)
    assert numpy.array_equal(vector(model), vector(unsigned(model)))
