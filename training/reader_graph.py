"""Writes the trained weights of a cross-encoder as the ONNX graph that the package carries.

    python -m training.reader_graph dulse.npz src/holdfast/adapters/embedding/weights/dulse-2
    python -m training.reader_graph judge-twelve.npz WRACK 112 GTE

A third argument is the number of places that the graph has; dulse has 64 of them. A fourth one is
the file of the encoder whose words the graph has: its input are then tokens. Without it the input
are the word embeddings of kelp, which the package has anyway. Several sources, with commas between
them, are averaged.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import numpy
from onnx import TensorProto, helper, load, numpy_helper, save

from holdfast.adapters.embedding.graph import MEAN, EncoderGraph
from holdfast.adapters.embedding.weights import layers, read_weights

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

_PLACES = 64
_WORDS, _POSITIONS = "embeddings.word_embeddings.weight", "embeddings.position_embeddings.weight"
_WIDTH, _HEADS, _EPSILON = 384, 12, 1e-12


def read(path: Path) -> dict[str, NDArray[float32]]:
    """Return the weights as 32-bit floats; matrices are stored in eight bits with scales."""
    stored = numpy.load(path)
    found = {}
    for name in stored.files:
        if name.endswith(".q"):
            plain = name.removesuffix(".q")
            found[plain] = stored[name].astype(numpy.float32) * stored[f"{plain}.s"]
        elif not name.endswith(".s"):
            found[name] = stored[name].astype(numpy.float32)
    return found


def from_graph(path: Path) -> dict[str, NDArray[float32]]:
    """Return the weights of a graph that this module wrote; the second kind of text is nothing."""
    stored = {one.name: numpy_helper.to_array(one) for one in load(path).graph.initializer}
    found = {
        _POSITIONS: stored["places"],
        "embeddings.token_type_embeddings.weight": numpy.zeros((2, _WIDTH), numpy.float32),
    }
    if "words" in stored:
        found[_WORDS] = stored["words"].astype(numpy.float32) * stored["words.scale"]
    for name, values in stored.items():
        if name.startswith("encoder.") and values.dtype == numpy.int8:
            scale = stored[f"{name.removesuffix('.weight')}.scale"]
            found[name] = (values.astype(numpy.float32) * scale).T.copy()
        elif name.startswith("head."):
            found[name] = values.T.copy()
        elif name.startswith(("encoder.", "embeddings.")) and not name.endswith(".scale"):
            found[name] = values
    return found


def averaged(several: list[dict[str, NDArray[float32]]]) -> dict[str, NDArray[float32]]:
    """Return the mean of the weights of several models of one shape."""
    return {name: numpy.stack([one[name] for one in several]).mean(axis=0) for name in several[0]}


class ReaderGraph(EncoderGraph):
    """A graph whose input are word embeddings or tokens, and whose output are scores."""

    def __init__(self, weights: dict[str, NDArray[float32]], places: int) -> None:
        self.weights = weights | {_POSITIONS: weights[_POSITIONS][:places]}
        super().__init__(self.weights, epsilon=_EPSILON)

    def placed(self) -> str:
        """Add the positions of the words, and the words if the graph has its own."""
        if _WORDS in self.weights:
            return self.embedded()
        places = self.weights[_POSITIONS]
        kinds = self.weights["embeddings.token_type_embeddings.weight"]
        length = self.add("Shape", "embedded", start=1, end=2)
        zero, axis = self.whole("zero", [0]), self.whole("axis", [0])
        here = self.add("Slice", self.keep("places", places + kinds[0]), zero, length, axis)
        norm = [
            self.keep(name, self.weights[name])
            for name in ("embeddings.LayerNorm.weight", "embeddings.LayerNorm.bias")
        ]
        total = self.add("Add", "embedded", here)
        return self.add("LayerNormalization", total, *norm, axis=-1, epsilon=self.epsilon)

    def scored(self, pooled: str) -> str:
        """Add the head: a number for each label, or one for the pair."""
        weight = self.keep("head.weight", self.weights["head.weight"].T)
        bias = self.keep("head.bias", self.weights["head.bias"])
        return self.add("Gemm", pooled, weight, bias)


def main(source: str, folder: Path, places: str = "", words: str = "") -> None:
    """Write the graph."""
    weights = averaged([read(Path(one)) for one in source.split(",")])
    given = helper.make_tensor_value_info("embedded", TensorProto.FLOAT, [1, "tokens", _WIDTH])
    if words:
        weights[_WORDS] = read_weights(Path(words))[_WORDS]
        given = helper.make_tensor_value_info("input_ids", TensorProto.INT64, [1, "tokens"])
    graph = ReaderGraph(weights, int(places or _PLACES))
    state = graph.placed()
    for layer in range(layers(weights)):
        state = graph.layer(f"encoder.layer.{layer}.", state, heads=_HEADS)
    score = graph.scored(graph.pooled(state, MEAN))
    model = graph.model(
        given,
        helper.make_tensor_value_info(score, TensorProto.FLOAT, [1, len(weights["head.bias"])]),
    )
    folder.mkdir(parents=True, exist_ok=True)
    save(model, folder / "model.onnx")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), *sys.argv[3:])
