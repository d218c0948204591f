"""``python -m benchmarks.sync``: the CPU time of a sync of one large page."""

from __future__ import annotations

import argparse
import os
import random
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.figures import Figure, table

_ENTRIES, _RUNS = 5_000, 3
_MOST_SECONDS = 3.0
_WORDS = 3_000
_WORDS_OF_ENTRY = 5
_PAGE = ".holdfast/memory/facts.md"


class Clone:
    """A repository with one page; each command is a process."""

    def __init__(self, work: Path) -> None:
        self.folder = work / "app"
        self.folder.mkdir(parents=True)
        self._environment = {
            **os.environ,
            "HOLDFAST_HOME": str(work / "home"),
            "HOLDFAST_EMBEDDING_MODEL": "none",
        }
        # An installed program has compiled code; from a source tree `init` compiles most of it.
        self._environment.pop("PYTHONDONTWRITEBYTECODE", None)
        subprocess.run(["git", "init", "-q", str(self.folder)], check=True)
        self.seconds("init", "--files")

    def seconds(self, *words: str, expecting: str = "") -> float:
        """Return the CPU seconds of one command, those of git included."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(
            [sys.executable, "-P", "-m", "holdfast", *words],
            cwd=self.folder,
            env=self._environment,
            capture_output=True,
            text=True,
            check=True,
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert expecting in done.stdout, done.stdout[:500]
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    def write_page(self, entries: int) -> None:
        """Write a page of entries that a person wrote and nobody has synced."""
        dice = random.Random(1)
        claims = [
            "The {} of {} is {} when {} meets {}.".format(
                *(f"w{dice.randrange(_WORDS)}" for _ in range(_WORDS_OF_ENTRY))
            )
            for _ in range(entries)
        ]
        text = "".join(f"---\ntype: fact\n---\n{claim}\n\n" for claim in claims)
        (self.folder / _PAGE).write_text(f"# Facts\n\n{text}", encoding="utf-8")

    def edit_one(self) -> None:
        """Change the text of the first entry."""
        page = self.folder / _PAGE
        text = page.read_text(encoding="utf-8")
        page.write_text(text.replace("\nThe ", "\nToday the ", 1), encoding="utf-8")


def measured(work: Path, *, entries: int, runs: int) -> list[Figure]:
    """Return the least CPU time of several runs, for each kind of sync."""
    seconds: dict[str, list[float]] = {"first": [], "nothing changed": [], "one entry edited": []}
    for run in range(runs):
        clone = Clone(work / str(run))
        clone.write_page(entries)
        seconds["first"].append(clone.seconds("sync", expecting="taken in"))
        seconds["nothing changed"].append(clone.seconds("sync", expecting="in line"))
        clone.edit_one()
        seconds["one entry edited"].append(clone.seconds("sync", expecting="taken in"))
    return [
        Figure(
            name=f"sync of {entries:,} entries, {name}",
            value=min(values),
            unit="s CPU",
            at_most=_MOST_SECONDS * entries / _ENTRIES if name == "first" else None,
            note=f"least of {runs} runs",
        )
        for name, values in seconds.items()
    ]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.sync", description=__doc__)
    parser.add_argument("--entries", type=int, default=_ENTRIES)
    parser.add_argument("--runs", type=int, default=_RUNS)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="holdfast-bench-") as work:
        figures = measured(Path(work), entries=options.entries, runs=options.runs)
    sys.stdout.write(table(figures) + "\n")


if __name__ == "__main__":
    main()
