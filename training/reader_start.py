"""Writes the weights of a reader's graph as arrays in eight bits, for a training that starts there.

    python -m training.reader_start WRACK/model.onnx start.npz
    python -m training.reader_start DULSE/model.onnx start.npz KELP/model.safetensors

The last argument is the file with the words that the graph shares, if it has none of its own.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import numpy

from holdfast.adapters.embedding.weights import read_weights
from training.encoder import WORDS, rounded
from training.reader_graph import from_graph

if TYPE_CHECKING:
    from numpy.typing import NDArray


def main(graph: Path, out: Path, words: str = "") -> None:
    """Write the arrays; the head of the old reader is left out."""
    found = {name: one for name, one in from_graph(graph).items() if not name.startswith("head.")}
    if words:
        found[WORDS] = read_weights(Path(words))[WORDS]
    arrays: dict[str, NDArray[numpy.generic]] = {}
    for name, values in found.items():
        if name == WORDS or (name.startswith("encoder.") and values.ndim == 2):
            arrays[f"{name}.q"], arrays[f"{name}.s"] = rounded(values)
        else:
            arrays[name] = values.astype("float16")
    numpy.savez(out, allow_pickle=False, **arrays)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), *sys.argv[3:])
