"""How many source files a verb enters, from the command line to the disk.

``python -m benchmarks.walks`` runs each verb in a process of its own, beside a small repository
with pages, and counts the files of Holdfast in which a function is called, how often the call
goes from one file to another, and how many modules are loaded.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import holdfast
from benchmarks.figures import Figure, table
from benchmarks.statements import write_repository

MOST_FILES = {"recall": 70, "sync": 80}
"""The aims, counted in files entered."""
SOURCE = str(Path(holdfast.__file__).parent)
_VERBS: dict[str, tuple[str, ...]] = {
    "remember": ("remember", "--evidence", "dune.py:1-3", "The dune job is tried four times."),
    "recall": ("recall", "How does the worker retry the amber job?"),
    "context": ("context", "retry_amber"),
    "sync": ("sync",),
}
_BEFORE: tuple[tuple[str, ...], ...] = (
    ("init", "--files", "--no-model"),
    ("remember", "--evidence", "amber.py:1-3", "The worker retries the amber job five times."),
    ("remember", "--evidence", "cedar.py:1-3", "The worker retries the cedar job five times."),
)


def measured(folder: Path) -> dict[str, tuple[int, int, int]]:
    """Return files entered, switches between files and modules loaded, by verb."""
    root = folder / "tree"
    write_repository(root)
    for words in _BEFORE:
        _run(words, folder)
    found = {}
    for name, words in _VERBS.items():
        files, switches, loaded = map(int, _run(words, folder).split()[-3:])
        found[name] = (files, switches, loaded)
    return found


def _run(words: tuple[str, ...], folder: Path) -> str:
    own = {
        "HOLDFAST_HOME": str(folder / "home"),
        "GIT_CONFIG_GLOBAL": "/dev/null",
        "PYTHONPATH": os.pathsep.join((str(Path(SOURCE).parent), str(Path(__file__).parents[1]))),
    }
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.walked", *words],
        cwd=folder / "tree",
        env=os.environ | own,
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stderr


def main() -> int:
    """Print the table; it is a measurement, so a missed aim is shown and is no failure."""
    with tempfile.TemporaryDirectory() as folder:
        found = measured(Path(folder))
    figures = [
        Figure(
            name=name,
            value=files,
            unit="files entered",
            at_most=MOST_FILES.get(name),
            note=f"{switches:,} switches between files, {loaded} modules loaded",
        )
        for name, (files, switches, loaded) in found.items()
    ]
    print(table(figures))
    return 0


if __name__ == "__main__":
    sys.exit(main())
