"""Reads the weights of an encoder from a safetensors file or an ONNX graph."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from holdfast.domain.errors import BadFieldError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from numpy import float32
    from numpy.typing import NDArray

    Weights = Mapping[str, NDArray[float32]]


_HEADER_SIZE_BYTES = 8
_LONGEST_HEADER = 100_000_000
_SCALE = ".scale"
_METADATA, _VERSION, _READ_VERSION = "__metadata__", "holdfast_format", "1"
_PREFIXES = ("bert.", "model.", "0.auto_model.")
# The order in each layer, which even exporters that rename the large matrices keep.
_LAYER_PARTS = (
    "attention.self.query",
    "attention.self.key",
    "attention.self.value",
    "attention.output.dense",
    "intermediate.dense",
    "output.dense",
)


def read_weights(path: Path) -> Weights:
    """Return the weights of a BERT encoder by their usual names, as 32-bit floats.

    Raises:
        BadFieldError: The file is truncated, of another format, or of another kind of model.
    """
    found = _from_safetensors(path) if path.suffix == ".safetensors" else _from_graph(path)
    weights = {_plain(name): values for name, values in found.items()}
    if "embeddings.word_embeddings.weight" not in weights or layers(weights) == 0:
        raise unusable(path, "holds no BERT encoder; models of that family can be installed.")
    return weights


def layers(weights: Weights) -> int:
    """Return how many layers the encoder has."""
    numbers = {int(name.split(".")[2]) for name in weights if name.startswith("encoder.layer.")}
    return max(numbers, default=-1) + 1


def unusable(path: Path, problem: str) -> BadFieldError:
    """Return the error for a file from which no model can be built."""
    return BadFieldError(field=f"model file {path}", problem=problem)


def _plain(name: str) -> str:
    for prefix in _PREFIXES:
        name = name.removeprefix(prefix)
    return name.replace("LayerNorm.gamma", "LayerNorm.weight").replace(
        "LayerNorm.beta", "LayerNorm.bias"
    )


def _from_safetensors(path: Path) -> dict[str, NDArray[float32]]:
    import numpy

    kinds = {
        "F32": numpy.float32, "F16": numpy.float16, "F64": numpy.float64, "I8": numpy.int8
    }  # fmt: skip
    data = path.read_bytes()
    length = int.from_bytes(data[:_HEADER_SIZE_BYTES], "little")
    start = _HEADER_SIZE_BYTES + length
    if len(data) < _HEADER_SIZE_BYTES or length > _LONGEST_HEADER or start > len(data):
        raise unusable(path, "is no safetensors file, or is cut short.")
    found = {}
    try:
        entries = json.loads(data[_HEADER_SIZE_BYTES:start])
        version = entries.pop(_METADATA, {}).get(_VERSION, _READ_VERSION)
        if version != _READ_VERSION:
            problem = f"is for a newer version of holdfast: its format is {version}."
            raise unusable(path, problem)
        for name, entry in entries.items():
            if entry["dtype"] not in kinds:
                continue
            first, last = entry["data_offsets"]
            values = numpy.frombuffer(data[start + first : start + last], kinds[entry["dtype"]])
            found[name] = values.reshape(entry["shape"]).astype(numpy.float32)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise unusable(path, "is cut short or damaged.") from error
    return _unscaled(found, path)


def _unscaled(found: dict[str, NDArray[float32]], path: Path) -> dict[str, NDArray[float32]]:
    """Return each array multiplied by the scales of its rows, where the file has them."""
    scales = {name: found.pop(name) for name in [*found] if name.endswith(_SCALE)}
    try:
        for name, sizes in scales.items():
            found[name.removesuffix(_SCALE)] *= sizes
    except (KeyError, ValueError) as error:
        raise unusable(path, "has scales that fit no weights.") from error
    return found


def _from_graph(path: Path) -> dict[str, NDArray[float32]]:
    import numpy
    import onnx
    from google.protobuf.message import DecodeError

    try:
        graph = onnx.load(path).graph
        values = {one.name: onnx.numpy_helper.to_array(one) for one in graph.initializer}
    except (DecodeError, OSError, ValueError, onnx.checker.ValidationError) as error:
        raise unusable(path, "is no ONNX graph with its weights, or is cut short.") from error
    found = {
        name: array.astype(numpy.float32)
        for name, array in values.items()
        if _plain(name).startswith(("embeddings.", "encoder."))
    }
    matrices = [
        values[name]
        for node in graph.node
        if node.op_type == "MatMul"
        for name in node.input
        if name in values and values[name].ndim == 2  # noqa: PLR2004 - a matrix
    ]
    for number, matrix in enumerate(matrices):
        layer, part = divmod(number, len(_LAYER_PARTS))
        name = f"encoder.layer.{layer}.{_LAYER_PARTS[part]}.weight"
        found[name] = matrix.T.astype(numpy.float32)
    return found
