"""Measures how much processor time encryption takes, and what it costs without sensitive records.

The store is a file of its own without durability, so that the time is that of the program. Each
figure is the median of several rounds.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import holdfast
from benchmarks.figures import Figure, table

_RECORDS, _FEW, _ROUNDS = 1_000, 100, 5
_LOADS = "import sys, time; s=time.process_time(); import {}; print(time.process_time()-s)"


def measured(folder: Path, *, records: int) -> list[Figure]:
    """Return the times of remembering, recalling, showing and rotating."""
    os.environ["HOLDFAST_HOME"] = str(folder / "home")
    os.environ["HOLDFAST_KEYS"] = str(folder / "keys")
    os.environ["HOLDFAST_MODELS"] = str(folder / "none")
    with holdfast.open(folder) as hf:
        said = [f"The {number}th gate opens at {number % 24} o'clock." for number in range(records)]
        plain = _each(
            records, lambda: hf.remember_all(said, because="Seen.", scope="global"), rounds=1
        )
        before = _each(1, lambda: hf.recall("when does gate 7 open"))
        hf.keys.create()
        hidden = [f"The {number}th vault opens at noon." for number in range(records)]
        sensitive = _each(
            records,
            lambda: hf.remember_all(hidden, because="Seen.", scope="global", sensitive=True),
            rounds=1,
        )
        after = _each(1, lambda: hf.recall("when does gate 7 open"))
        name = next(one.id for one in hf.list(limit=1))
        shown = _each(1, lambda: hf.reveal(name))
        rotated = _each(records, hf.keys.rotate, rounds=3)
        checked = _each(1, hf.keys.check)
    loads = subprocess.run(
        [sys.executable, "-c", _LOADS.format("holdfast.adapters.encryption.aead")],
        capture_output=True,
        text=True,
        check=True,
    )
    found = (
        (f"remember one, of {records:,} at once", plain),
        ("the same, sensitive", sensitive),
        (f"recall among {records:,} plain ones", before),
        (f"recall with {records:,} sensitive ones beside them", after),
        ("show a sensitive one", shown),
        ("rotate one record", rotated),
        (f"check {records:,} records", checked),
        ("load the library, if it is needed", float(loads.stdout) * 1_000),
    )
    return [Figure(name=name, value=value, unit="ms CPU") for name, value in found]


def _each(count: int, work: Callable[[], object], *, rounds: int = _ROUNDS) -> float:
    """Return the median processor time of a piece of work in milliseconds."""
    times = []
    for _ in range(rounds):
        start = time.process_time()
        work()
        times.append((time.process_time() - start) * 1_000 / count)
    return statistics.median(times)


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--short", action="store_true", help="with 100 records")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="holdfast-encryption-") as folder:
        found = measured(Path(folder), records=_FEW if given.short else _RECORDS)
        sys.stdout.write(f"{table(found)}\n")


if __name__ == "__main__":
    main()
