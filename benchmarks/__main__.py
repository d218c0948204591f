"""``python -m benchmarks``: every figure, with its target, in one table."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from benchmarks.cold_start import cold_start
from benchmarks.figures import Figure, table
from benchmarks.growth import Growth, single_writes
from benchmarks.mcp_start import mcp
from benchmarks.meaning import SHORT_TURNS, TURNS, reading_speed

_SHORT = [500]
_FULL = [10_000, 100_000, 1_000_000]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    length = parser.add_mutually_exclusive_group()
    length.add_argument("--short", action="store_true", help="small sizes, for every test run")
    length.add_argument("--full", action="store_true", help="10k, 100k and 1M (the default)")
    parser.add_argument("--sizes", help="sizes to measure at, such as 10000,100000")
    parser.add_argument("--work", type=Path, help="folder for the stores (default: temporary)")
    parser.add_argument("--write", type=Path, help="also write the table into this file")
    options = parser.parse_args()
    sizes = _SHORT if options.short else _FULL
    if options.sizes:
        sizes = [int(size) for size in options.sizes.split(",")]
    with tempfile.TemporaryDirectory(prefix="holdfast-bench-", dir=options.work) as folder:
        figures = reading_speed(SHORT_TURNS if options.short else TURNS)
        figures += measured(Path(folder), sizes, runs=1 if options.short else 10)
    text = table(figures)
    sys.stdout.write(text + "\n")
    if options.write:
        options.write.write_text(text + "\n", encoding="utf-8")


def measured(folder: Path, sizes: list[int], *, runs: int) -> list[Figure]:
    """Return every figure of a store at these sizes."""
    figures = single_writes(folder / "single", count=50 * runs)
    growth = Growth(folder / "growth")
    for size in sizes:
        sys.stderr.write(f"measuring at {size:,} memories …\n")
        figures += growth.up_to(size)
        figures += cold_start(folder / "growth", size, runs=runs)
    return figures + mcp(folder / "mcp", starts=2 * runs, clients=2 * runs)


if __name__ == "__main__":
    main()
