"""The input of all stores: texts, vectors, questions, and the right answers by brute force.

Nothing here imports holdfast: other stores are measured in separate environments.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.peers.peer import LIMIT, Asked, Batch

_BLOCK = 10_000
_FLOAT = 4
_TAKEN = 1.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """A folder of texts and vectors; smaller sizes are a prefix of it."""

    folder: Path

    @property
    def about(self) -> dict[str, object]:
        """How it was generated."""
        told: dict[str, object] = json.loads((self.folder / "about.json").read_text("utf-8"))
        return told

    @property
    def dimension(self) -> int:
        """The number of dimensions of a vector."""
        return int(str(self.about["dimension"]))

    def batches(self, count: int, *, of: int) -> Iterator[Batch]:
        """Return the first texts in batches; only one batch is in memory."""
        import numpy  # noqa: PLC0415 - the cold question must not pay for it

        wide = self.dimension
        with (self.folder / "texts.jsonl").open(encoding="utf-8") as lines:
            for first in range(0, count, of):
                rows = [json.loads(next(lines)) for _ in range(min(of, count - first))]
                yield Batch(
                    first=first,
                    texts=[row["text"] for row in rows],
                    groups=[row["group"] for row in rows],
                    vectors=numpy.fromfile(
                        self.folder / "vectors.f32",
                        dtype=numpy.float32,
                        count=len(rows) * wide,
                        offset=first * wide * _FLOAT,
                    ).reshape(-1, wide),
                )

    def questions(self, *, filtered: bool) -> list[Asked]:
        """Return the questions with their vectors, without numpy."""
        lines = (self.folder / "questions.jsonl").read_text(encoding="utf-8").splitlines()
        raw = (self.folder / "questions.f32").read_bytes()
        size = len(raw) // len(lines)
        asked = []
        for place, line in enumerate(lines):
            told = json.loads(line)
            vector = array("f")
            vector.frombytes(raw[place * size : (place + 1) * size])
            group = told["group"] if filtered else None
            asked.append(Asked(text=told["text"], vector=vector, group=group))
        return asked

    def truth(self, count: int, *, filtered: bool) -> list[list[int]]:
        """Return the ten nearest texts of each question among the first texts, by exact float32."""
        kept = self.folder / f"truth-{count}-{'filtered' if filtered else 'all'}.json"
        if not kept.exists():
            kept.write_text(json.dumps(_exact(self, count, filtered=filtered)), encoding="utf-8")
        answers: list[list[int]] = json.loads(kept.read_text(encoding="utf-8"))
        return answers


def _exact(material: Material, count: int, *, filtered: bool) -> list[list[int]]:
    import numpy  # noqa: PLC0415 - as above

    asked = material.questions(filtered=filtered)
    questions = numpy.array([one.vector for one in asked], dtype=numpy.float32)
    best: list[list[tuple[float, int]]] = [[] for _ in asked]
    for batch in material.batches(count, of=_BLOCK):
        scores = batch.vectors @ questions.T
        groups = numpy.array(batch.groups)
        for place, one in enumerate(asked):
            column = scores[:, place]
            if one.group is not None:
                column = numpy.where(groups == one.group, column, -2.0)
            near = numpy.argsort(-column, kind="stable")[:LIMIT]
            found = [(-float(column[row]), batch.first + int(row)) for row in near]
            best[place] = sorted(best[place] + [one for one in found if one[0] < _TAKEN])[:LIMIT]
    return [[number for _, number in ranked] for ranked in best]
