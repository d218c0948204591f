"""Runs one store over the trials of a set: stores the documents, asks, and writes the rankings.

``python -m benchmarks.quality.asking NAME FOLDER TRIALS OUT`` runs in the environment of the store,
which need not have Holdfast.
"""

from __future__ import annotations

import argparse
import json
from array import array
from pathlib import Path

import numpy

from benchmarks.peers.peer import ENTRIES, Asked, Batch, Entry

_BATCH = 500


def rankings(entry: Entry, folder: Path, trial: Path) -> list[list[int]]:
    """Return the numbers of the best documents for each question of a trial."""
    texts = json.loads((trial / "documents.json").read_text(encoding="utf-8"))
    questions = json.loads((trial / "questions.json").read_text(encoding="utf-8"))
    vectors = _vectors(trial / "documents.f32", len(texts))
    asked = _vectors(trial / "questions.f32", len(questions))
    folder.mkdir(parents=True)
    peer = entry.open(folder)
    for first in range(0, len(texts), _BATCH):
        part = texts[first : first + _BATCH]
        peer.add(
            Batch(
                first=first,
                texts=part,
                groups=["all"] * len(part),
                vectors=vectors[first : first + _BATCH],
            )
        )
    peer.finish()
    found = [
        [int(number) for number in peer.recall(Asked(text=text, vector=array("f", vector)))]
        for text, vector in zip(questions, asked.tolist(), strict=True)
    ]
    peer.close()
    return found


def _vectors(path: Path, count: int) -> numpy.ndarray[tuple[int, int], numpy.dtype[numpy.float32]]:
    return numpy.fromfile(path, dtype=numpy.float32).reshape(count, -1)


def main() -> None:
    """Run one store."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name")
    parser.add_argument("folder", type=Path)
    parser.add_argument("trials", type=Path)
    parser.add_argument("out", type=Path)
    given = parser.parse_args()
    entry = next(entry for entry in ENTRIES if entry.name == given.name)
    found = {
        trial.name: rankings(entry, given.folder / trial.name, trial)
        for trial in sorted(given.trials.iterdir())
    }
    given.out.write_text(json.dumps(found), encoding="utf-8")


if __name__ == "__main__":
    main()
