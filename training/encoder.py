"""A BERT encoder as a function over named tensors, and its weights in files."""

from __future__ import annotations

import json
import struct
from typing import TYPE_CHECKING

import numpy
import torch
from torch.nn import functional

from holdfast.adapters.embedding.weights import layers, read_weights

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    Tensors = dict[str, torch.Tensor]

WORDS = "embeddings.word_embeddings.weight"
LONGEST = 256
_HEADS, _EPSILON, _LARGEST, _STEP, _ALIGNED = 12, 1e-12, 127, 16, 8
_KINDS = {"int8": "I8", "float16": "F16", "float32": "F32"}


def load(path: Path, device: str) -> Tensors:
    """Return the weights of an encoder: the words as eight bits store them, the rest in 16."""
    found = {}
    for name, values in read_weights(path).items():
        if name.startswith(("embeddings.", "encoder.")) and "position_ids" not in name:
            kept = numpy.multiply(*rounded(values)) if name == WORDS else values.astype("float16")
            found[name] = torch.tensor(kept.astype("float32"), device=device)
    return found


def save(path: Path, weights: Mapping[str, torch.Tensor]) -> None:
    """Write weights as safetensors: matrices in eight bits with a scale a row, the rest in 16."""
    arrays: dict[str, NDArray[numpy.generic]] = {}
    for name, tensor in weights.items():
        values = tensor.detach().float().cpu().numpy()
        if name == WORDS or (name.startswith("encoder.") and values.ndim == 2):
            arrays[name], arrays[f"{name}.scale"] = rounded(values)
        else:
            arrays[name] = values.astype("float16")
    header: dict[str, object] = {
        "__metadata__": {"licence": "Apache-2.0", "name": "kelp 2", "holdfast_format": "1"}
    }
    start = 0
    for name, array in arrays.items():
        shape, end = list(array.shape), start + array.nbytes
        kind = _KINDS[str(array.dtype)]
        header[name] = {"dtype": kind, "shape": shape, "data_offsets": [start, end]}
        start = end
    said = json.dumps(header, separators=(",", ":")).encode()
    said += b" " * (-len(said) % _ALIGNED)
    body = b"".join(array.tobytes() for array in arrays.values())
    path.write_bytes(struct.pack("<Q", len(said)) + said + body)


def save_layers(path: Path, weights: Mapping[str, torch.Tensor]) -> None:
    """Write weights without the words as arrays: matrices in eight bits with a scale a row."""
    arrays: dict[str, NDArray[numpy.generic]] = {}
    for name, tensor in weights.items():
        values = tensor.detach().float().cpu().numpy()
        if name.startswith("encoder.") and values.ndim == 2:
            arrays[f"{name}.q"], arrays[f"{name}.s"] = rounded(values)
        elif name != WORDS:
            arrays[name] = values.astype("float32" if name.startswith("head.") else "float16")
    with path.open("wb") as file:
        numpy.savez(file, allow_pickle=False, **arrays)


def encode(weights: Tensors, ids: torch.Tensor) -> torch.Tensor:
    """Return a vector of length one for each row of tokens; 0 is padding."""
    return functional.normalize(pooled(weights, ids), dim=-1)


def pooled(weights: Tensors, ids: torch.Tensor, *, dropout: float = 0.0) -> torch.Tensor:
    """Return the mean of the vectors of each row's tokens."""
    mask = ids != 0
    state = functional.embedding(ids, weights[WORDS])
    state = state + weights["embeddings.position_embeddings.weight"][: ids.shape[1]]
    state = state + weights["embeddings.token_type_embeddings.weight"][0]
    state = _normed(weights, "embeddings.LayerNorm", state)
    for number in range(layers(weights)):
        prefix = f"encoder.layer.{number}."
        state = _layer(weights, prefix, state, mask[:, None, None, :], dropout)
    heard = mask[..., None].to(state.dtype)
    return (state * heard).sum(1).float() / heard.sum(1).float()


def embed(
    weights: Tensors, rows: Sequence[Sequence[int]], device: str, *, many: int = 1024
) -> torch.Tensor:
    """Return the vectors of many texts, without gradients; texts of like length go together."""
    order = sorted(range(len(rows)), key=lambda number: len(rows[number]))
    size = weights[WORDS].shape[1]
    found = torch.empty(len(rows), size, device=device)
    with torch.no_grad(), half_precision(device):
        for start in range(0, len(order), many):
            part = order[start : start + many]
            found[part] = encode(weights, padded([rows[number] for number in part], device))
    return found


def padded(rows: Sequence[Sequence[int]], device: str) -> torch.Tensor:
    """Return rows of tokens as one tensor; its width is a multiple of 16, 256 at most."""
    longest = max(map(len, rows))
    width = min(LONGEST, (longest + _STEP - 1) // _STEP * _STEP)
    found = numpy.zeros((len(rows), width), "int64")
    for number, row in enumerate(rows):
        found[number, : len(row)] = row[:width]
    return torch.from_numpy(found).to(device, non_blocking=True)


def half_precision(device: str) -> torch.autocast:
    """Compute in 16 bits on a GPU; a CPU computes in 32."""
    return torch.autocast(device, dtype=torch.bfloat16, enabled=device == "cuda")


def blended(base: Tensors, tuned: Tensors, share: float) -> Tensors:
    """Return the average of two models' weights; ``share`` is that of the tuned one."""
    return {name: base[name] * (1 - share) + tuned[name] * share for name in base}


def _layer(
    weights: Tensors, prefix: str, state: torch.Tensor, mask: torch.Tensor, dropout: float
) -> torch.Tensor:
    rows, length, size = state.shape

    def by_head(part: str) -> torch.Tensor:
        found = _dense(weights, f"{prefix}attention.self.{part}", state)
        return found.view(rows, length, _HEADS, size // _HEADS).transpose(1, 2)

    heard = functional.scaled_dot_product_attention(
        by_head("query"), by_head("key"), by_head("value"), attn_mask=mask
    )
    heard = heard.transpose(1, 2).reshape(rows, length, size)
    out = f"{prefix}attention.output."
    added = functional.dropout(_dense(weights, f"{out}dense", heard), dropout)
    state = _normed(weights, f"{out}LayerNorm", state + added)
    inner = functional.gelu(_dense(weights, f"{prefix}intermediate.dense", state))
    out = f"{prefix}output."
    added = functional.dropout(_dense(weights, f"{out}dense", inner), dropout)
    return _normed(weights, f"{out}LayerNorm", state + added)


def _dense(weights: Tensors, name: str, state: torch.Tensor) -> torch.Tensor:
    return functional.linear(state, weights[f"{name}.weight"], weights[f"{name}.bias"])


def _normed(weights: Tensors, name: str, state: torch.Tensor) -> torch.Tensor:
    scale, shift = weights[f"{name}.weight"], weights[f"{name}.bias"]
    return functional.layer_norm(state, scale.shape, scale, shift, _EPSILON)


def rounded(values: NDArray[numpy.float32]) -> tuple[NDArray[numpy.int8], NDArray[numpy.float32]]:
    """Return values in eight bits, and the scale of each row."""
    scale = numpy.abs(values).max(axis=1, keepdims=True) / _LARGEST
    scale[scale == 0] = 1
    return numpy.rint(values / scale).astype("int8"), scale.astype("float32")
