"""Generates the material: real paragraphs embedded by the model, and mixtures of them.

The model embeds a few thousand texts. Every stored text is a mixture of two of them, and its vector
the same mixture with a little noise, so that a million take minutes.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import TYPE_CHECKING

import numpy

from benchmarks.peers.material import Material
from benchmarks.peers.meanings import Reader
from benchmarks.peers.texts import group_of, mixed, paragraphs, question_about

if TYPE_CHECKING:
    from numpy import float32, int64
    from numpy.typing import NDArray

_EDITION = 2
_SHARES = (0.8, 0.4, 0.35)
_BLOCK = 10_000


def made(root: Path, reader: Reader, *, size: int, read: int, questions: int) -> Material:
    """Return material of at least that size; create it if it does not exist."""
    wanted = {"edition": _EDITION, "model": reader.name, "read": read, "questions": questions}
    folder = root / f"{reader.name.replace('/', '-')}-{read}"
    material = Material(folder=folder)
    if (folder / "about.json").exists():
        about = material.about
        is_same = all(about[key] == value for key, value in wanted.items())
        if is_same and int(str(about["size"])) >= size:
            return material
        for stale in [folder / "about.json", *folder.glob("truth-*.json")]:
            stale.unlink()
    folder.mkdir(parents=True, exist_ok=True)
    dimension = _write(folder, reader, size=size, read=read, questions=questions)
    told = {**wanted, "size": size, "dimension": dimension, "shares": _SHARES}
    (folder / "about.json").write_text(json.dumps(told), encoding="utf-8")
    return material


def _write(folder: Path, reader: Reader, *, size: int, read: int, questions: int) -> int:
    sources = paragraphs(read)
    meanings = numpy.frombuffer(reader.read(sources), dtype=numpy.float32)
    meanings = meanings.reshape(len(sources), -1)
    wide = meanings.shape[1]
    chance, dice = random.Random(11), numpy.random.default_rng(11)
    with (
        (folder / "texts.jsonl").open("w", encoding="utf-8") as texts,
        (folder / "vectors.f32").open("wb") as vectors,
    ):
        for start in range(0, size, _BLOCK):
            # Whole blocks are drawn, so that a larger corpus starts with the smaller one.
            pairs = dice.integers(0, len(sources), size=(_BLOCK, 2))[: size - start]
            noise = dice.standard_normal((_BLOCK, wide), dtype=numpy.float32)[: size - start]
            vectors.write(_mixture(meanings, pairs, noise).tobytes())
            for place, (first, second) in enumerate(pairs.tolist()):
                number = start + place
                row = {
                    "text": mixed(sources[first], sources[second], number),
                    "group": group_of(number),
                }
                texts.write(json.dumps(row, ensure_ascii=False) + "\n")
    about = [chance.randrange(len(sources)) for _ in range(questions)]
    asked = [question_about(sources[place], chance) for place in about]
    (folder / "questions.jsonl").write_text(
        "".join(
            json.dumps({"text": text, "group": group_of(place)}) + "\n"
            for place, text in zip(about, asked, strict=True)
        ),
        encoding="utf-8",
    )
    (folder / "questions.f32").write_bytes(reader.ask(asked))
    return int(wide)


def _mixture(
    meanings: NDArray[float32], pairs: NDArray[int64], noise: NDArray[float32]
) -> NDArray[float32]:
    most, little, astray = _SHARES
    noise = noise / numpy.linalg.norm(noise, axis=1, keepdims=True)
    mix = most * meanings[pairs[:, 0]] + little * meanings[pairs[:, 1]] + astray * noise
    unit: NDArray[float32] = (mix / numpy.linalg.norm(mix, axis=1, keepdims=True)).astype("f4")
    return unit
