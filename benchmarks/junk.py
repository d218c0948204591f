"""Measures how well junk is distinguished from knowledge; ``python -m benchmarks.junk``.

The labelled lines were written for this measurement: typical junk found in the stores of other
memories, and statements as engineers keep them. The rules were made with the first set in sight;
the second was written afterwards, and no rule was changed for it. ``--lines FILE`` measures false
alarms on your own lines that are all worth keeping; ``--show`` prints every mistake.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from holdfast.heuristics.junk.scoring import junk, objection

LINES = Path(__file__).parent / "junk_lines.tsv"
HELD = LINES.with_name("junk_lines_held.tsv")
GOOD = "good"
Labelled = tuple[str, str]


def labelled(path: Path = LINES) -> list[Labelled]:
    """Return the lines with their labels; ``good`` means worth keeping."""
    rows = [line.split("\t", 1) for line in path.read_text("utf-8").splitlines()]
    return [(sort, claim) for sort, claim in rows]


def figures(lines: Sequence[Labelled]) -> tuple[float, float]:
    """Return precision and recall."""
    called = [sort for sort, claim in lines if objection(claim)]
    right = sum(sort != GOOD for sort in called)
    junk_lines = sum(sort != GOOD for sort, _ in lines)
    return right / max(1, len(called)), right / max(1, junk_lines)


def main(words: list[str]) -> int:
    """Print precision and recall, and recall by label."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.junk", description=__doc__)
    parser.add_argument("--lines", type=Path, help="a file of claims, one a line, all good")
    parser.add_argument("--show", action="store_true", help="print every mistake")
    given = parser.parse_args(words)
    sets = {"in sight": labelled(), "set aside": labelled(HELD)}
    if given.lines is not None:
        texts = given.lines.read_text("utf-8").splitlines()
        sets = {given.lines.name: [(GOOD, line) for line in texts if line]}
    for name, lines in sets.items():
        _print(name, lines, shows_mistakes=given.show)
    return 0


def _print(name: str, lines: Sequence[Labelled], *, shows_mistakes: bool) -> None:
    total = Counter(sort for sort, _ in lines)
    called = Counter(sort for sort, claim in lines if objection(claim))
    precision, recall = figures(lines)
    print(f"{name}, {len(lines)} lines: precision {precision:.3f}, recall {recall:.3f}")
    for sort, many in sorted(total.items()):
        print(f"  {sort:<10} {called[sort]:>4} of {many} called junk")
    for sort, claim in lines:
        if shows_mistakes and bool(objection(claim)) == (sort == GOOD):
            print(f"{sort}: {junk(claim).score:.2f} {claim}  {'; '.join(junk(claim).reasons)}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
