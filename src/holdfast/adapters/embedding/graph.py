"""Writes an encoder as a small ONNX graph: 8-bit weights, with pooling and normalisation.

The operators are the fused ones of onnxruntime, so that nothing is left to optimise when the graph
is loaded: a cold start costs little more than reading the file.

Reads a model's weights from safetensors or from an ONNX file of another exporter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from holdfast.adapters.embedding.weights import layers

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy import float32, generic
    from numpy.typing import NDArray
    from onnx import ModelProto, NodeProto, TensorProto, ValueInfoProto

    Weights = Mapping[str, NDArray[float32]]


MEAN, FIRST = "mean", "cls"
_FUSED = "com.microsoft"
_LARGEST = 127
# A processor without instructions for 8-bit products adds two of them in 16 bits, and clips the
# sum. An activation is at most 255, so two neighbouring weights of one sign may add up to 128.
_LARGEST_PAIR = 128
_OPSET, _FUSED_OPSET, _FORMAT = 17, 1, 8


def encoder_graph(weights: Weights, *, heads: int, pooling: str, epsilon: float) -> ModelProto:
    """Return the graph: its input are one text's token ids, its output is one unit vector.

    It reads one text at a time. The 8-bit activations are scaled by the largest of them, so in a
    batch a text would get a different vector each time; and a batch saves hardly a tenth.
    """
    graph = EncoderGraph(weights, epsilon=epsilon)
    state = graph.embedded()
    for layer in range(layers(weights)):
        state = graph.layer(f"encoder.layer.{layer}.", state, heads=heads)
    return graph.finished(graph.pooled(state, pooling))


class EncoderGraph:
    """A graph under construction; each method adds steps and returns the name of their output."""

    def __init__(self, weights: Weights, *, epsilon: float) -> None:
        self._weights = weights
        self.epsilon = epsilon
        self._nodes: list[NodeProto] = []
        self._constants: list[TensorProto] = []

    def embedded(self) -> str:
        """Add the lookup of word and position embeddings; the segment is always the first."""
        import numpy

        words = self._weights["embeddings.word_embeddings.weight"]
        scale = _scales(words, axis=1)
        quantised = numpy.rint(words / scale).astype(numpy.int8)
        rows = self.add("Gather", self.keep("words", quantised), "input_ids")
        wide = self.add("Cast", rows, to=_tensor_types().FLOAT)
        sizes = self.add("Gather", self.keep("words.scale", scale), "input_ids")
        places = self._weights["embeddings.position_embeddings.weight"]
        kinds = self._weights["embeddings.token_type_embeddings.weight"]
        table = self.keep("places", places + kinds[0])
        length = self.add("Shape", "input_ids", start=1, end=2)
        zero, axis = self.whole("zero", [0]), self.whole("axis", [0])
        here = self.add("Slice", table, zero, length, axis)
        total = self.add("Add", self.add("Mul", wide, sizes), here)
        norm = self._pair("embeddings.LayerNorm")
        return self.add("LayerNormalization", total, *norm, axis=-1, epsilon=self.epsilon)

    def layer(self, prefix: str, state: str, *, heads: int) -> str:
        """Add one layer: attention, then two dense steps, each with a residual connection."""
        parts = [self._dense(f"{prefix}attention.self.{part}", state)
                 for part in ("query", "key", "value")]  # fmt: skip
        heard = self.fused("MultiHeadAttention", *parts, num_heads=heads)
        state = self._joined(f"{prefix}attention.output.", heard, state)
        inner = self.fused("Gelu", self._dense(f"{prefix}intermediate.dense", state))
        return self._joined(f"{prefix}output.", inner, state)

    def pooled(self, state: str, pooling: str) -> str:
        """Add the pooling from a vector per token to one vector for the text."""
        if pooling == FIRST:
            return self.add("Gather", state, self.whole("first", 0), axis=1)
        return self.add("ReduceMean", state, axes=[1], keepdims=0)

    def finished(self, pooled: str) -> ModelProto:
        """Return the graph with named inputs and outputs, and a normalised result."""
        from onnx import helper

        size = self._weights["embeddings.word_embeddings.weight"].shape[1]
        kinds = _tensor_types()
        node = helper.make_node("LpNormalization", [pooled], ["embedding"], axis=-1, p=2)
        self._nodes.append(node)
        return self.model(
            helper.make_tensor_value_info("input_ids", kinds.INT64, [1, "tokens"]),
            helper.make_tensor_value_info("embedding", kinds.FLOAT, [1, size]),
        )

    def model(self, given: ValueInfoProto, made: ValueInfoProto) -> ModelProto:
        """Return the graph with its input and its output."""
        from onnx import helper

        graph = helper.make_graph(self._nodes, "encoder", [given], [made], self._constants)
        versions = [helper.make_opsetid("", _OPSET), helper.make_opsetid(_FUSED, _FUSED_OPSET)]
        return helper.make_model(graph, opset_imports=versions, ir_version=_FORMAT)

    def keep(self, name: str, values: NDArray[generic]) -> str:
        """Add an array to the graph."""
        from onnx import numpy_helper

        self._constants.append(numpy_helper.from_array(values.copy(order="C"), name))
        return name

    def whole(self, name: str, values: list[int] | int) -> str:
        """Add integers to the graph."""
        import numpy

        return self.keep(name, numpy.asarray(values, numpy.int64))

    def add(self, operator: str, *inputs: str, **settings: float | list[int]) -> str:
        """Add an operator of the ONNX standard; return the name of its output."""
        return self._step("", operator, inputs, settings)

    def fused(self, operator: str, *inputs: str, **settings: float | list[int]) -> str:
        """Add an operator of onnxruntime; return the name of its output."""
        return self._step(_FUSED, operator, inputs, settings)

    def _step(
        self, domain: str, operator: str, inputs: tuple[str, ...], settings: dict[str, Any]
    ) -> str:
        from onnx import helper

        name = f"{operator}_{len(self._nodes)}"
        self._nodes.append(
            helper.make_node(operator, inputs, [name], name=name, domain=domain, **settings)
        )
        return name

    def _dense(self, name: str, state: str) -> str:
        import numpy

        matrix = self._weights[f"{name}.weight"].T
        scale = _column_scales(matrix)
        quantised = self.keep(f"{name}.weight", numpy.rint(matrix / scale).astype(numpy.int8))
        sizes = self.keep(f"{name}.scale", scale)
        bias = self.keep(f"{name}.bias", self._weights[f"{name}.bias"])
        return self.fused("DynamicQuantizeMatMul", state, quantised, sizes, "", bias)

    def _joined(self, prefix: str, changed: str, state: str) -> str:
        dense = self._dense(f"{prefix}dense", changed)
        norm = self._pair(f"{prefix}LayerNorm")
        return self.fused("SkipLayerNormalization", dense, state, *norm, epsilon=self.epsilon)

    def _pair(self, name: str) -> tuple[str, str]:
        parts = (f"{name}.weight", f"{name}.bias")
        return self.keep(parts[0], self._weights[parts[0]]), self.keep(
            parts[1], self._weights[parts[1]]
        )


def _scales(values: NDArray[float32], *, axis: int) -> NDArray[float32]:
    import numpy

    largest = numpy.abs(values).max(axis=axis, keepdims=True) / _LARGEST
    largest[largest == 0] = 1
    scales: NDArray[float32] = largest.astype(numpy.float32)
    return scales


def _column_scales(matrix: NDArray[float32]) -> NDArray[float32]:
    """Return a scale for each column, with which every processor computes the same products."""
    import numpy

    even = numpy.pad(matrix, ((0, len(matrix) % 2), (0, 0)))
    pairs = [half[0::2] + half[1::2] for half in (even.clip(min=0), (-even).clip(min=0))]
    # Rounding may add a half to each of the two.
    least = numpy.max(pairs, axis=(0, 1)) / (_LARGEST_PAIR - 1)
    scales: NDArray[float32] = numpy.maximum(_scales(matrix, axis=0)[0], least)
    return scales


def _tensor_types() -> type[TensorProto]:
    from onnx import TensorProto

    return TensorProto
