"""Runs one store in one process: reads commands from standard input and answers in JSON.

``python -m benchmarks.peers.runner NAME FOLDER MATERIAL`` waits for lines; with ``--cold`` it opens
the store, answers one question and ends.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import TextIO

from benchmarks.peers.material import Material
from benchmarks.peers.peer import ENTRIES, Entry, Peer

_BATCH = 500
_BLOCK_SECONDS = 5.0
_METHODS = {"whole": "recall", "vector": "nearest", "find": "find"}


class Runner:
    """Executes the commands."""

    def __init__(self, entry: Entry, folder: Path, material: Material) -> None:
        self._entry = entry
        self._folder = folder
        self._material = material
        self._peer: Peer | None = None

    @property
    def peer(self) -> Peer:
        """The store, opened on first use."""
        if self._peer is None:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._peer = self._entry.open(self._folder)
        return self._peer

    def told(self, line: Mapping[str, object]) -> dict[str, object]:
        """Execute one command and return its cost."""
        match line["do"]:
            case "fill":
                return self.fill(int(str(line["count"])), patience=float(str(line["patience"])))
            case "ask":
                return self.ask(line)
            case _:
                remark = getattr(self._peer, "remark", "")
                self.stop()
                return {"peak": peak_megabytes(), "remark": remark}

    def fill(self, count: int, *, patience: float) -> dict[str, object]:
        """Store the first texts; stop at the time limit, and return how many were stored."""
        start, wall, kept = Clocks(), Clocks(), 0
        spent = Spent()
        for batch in self._material.batches(count, of=_BATCH):
            wall = Clocks()
            self.peer.add(batch)
            spent.add(wall)
            kept += len(batch.texts)
            if kept < count and start.since().wall > patience:
                return {"kept": kept, "gave_up": True, **spent.told(), "peak": peak_megabytes()}
        wall = Clocks()
        self.peer.finish()
        if self._entry.is_kept:
            self.stop()
            for path in self._folder.rglob("*"):
                _sync(path)
        spent.add(wall)
        return {
            "kept": kept,
            "gave_up": False,
            **spent.told(),
            "peak": peak_megabytes(),
            "disk": sum(path.stat().st_size for path in self._folder.rglob("*") if path.is_file()),
        }

    def ask(self, line: Mapping[str, object]) -> dict[str, object]:
        """Answer a block of questions; a slow store answers fewer."""
        questions = self._material.questions(filtered=bool(line["filtered"]))
        first, many = int(str(line["first"])), int(str(line["many"]))
        work = getattr(self.peer, _METHODS[str(line["leg"])])
        walls, cpus, found = [], [], []
        begun = time.monotonic()
        for asked in questions[first : first + many]:
            clocks = Clocks()
            answer = work(asked)
            cost = clocks.since()
            walls.append(cost.wall * 1000)
            cpus.append(cost.cpu * 1000)
            found.append([int(number) for number in answer])
            if time.monotonic() - begun > _BLOCK_SECONDS:
                break
        return {"wall": walls, "cpu": cpus, "found": found}

    def stop(self) -> None:
        """Close the store."""
        if self._peer is not None:
            self._peer.close()
            self._peer = None


class Spent:
    """CPU and wall time spent, in seconds."""

    def __init__(self, wall: float = 0.0, cpu: float = 0.0) -> None:
        self.wall = wall
        self.cpu = cpu

    def add(self, clocks: Clocks) -> None:
        """Add the time since the clocks were read."""
        more = clocks.since()
        self.wall += more.wall
        self.cpu += more.cpu

    def told(self) -> dict[str, float]:
        """Return it as JSON values."""
        return {"wall": self.wall, "cpu": self.cpu}


class Clocks:
    """The wall time, and the CPU time of this process and its children, read now."""

    def __init__(self) -> None:
        self._wall, self._cpu = time.perf_counter(), _cpu()

    def since(self) -> Spent:
        """Return the time since then."""
        return Spent(time.perf_counter() - self._wall, _cpu() - self._cpu)


def _cpu() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def peak_megabytes() -> float:
    """Return the peak resident memory of this process; ru_maxrss could be its parent's."""
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _sync(path: Path) -> None:
    """Flush a file to the disk: some stores do not, and then it would not be measured."""
    if path.is_file():
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def main() -> None:
    """Run one store."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name")
    parser.add_argument("folder", type=Path)
    parser.add_argument("material", type=Path)
    parser.add_argument("--cold", type=int, help="answer this question and end")
    options = parser.parse_args()
    answers = _own_output()
    entry = next(entry for entry in ENTRIES if entry.name == options.name)
    runner = Runner(entry, options.folder, Material(folder=options.material))
    if options.cold is not None:
        line = {"filtered": False, "leg": "whole", "first": options.cold, "many": 1}
        answers.write(json.dumps(runner.ask(line)) + "\n")
        runner.stop()
        return
    for text in sys.stdin:
        answers.write(json.dumps(runner.told(json.loads(text))) + "\n")
        answers.flush()


def _own_output() -> TextIO:
    """Reserve standard output for answers; output of libraries goes to standard error."""
    own = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return own


if __name__ == "__main__":
    main()
