"""The jobs of one run: fill, ask warm in turns, ask cold in turns."""

from __future__ import annotations

import math
import shutil
import statistics
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field

from benchmarks.peers.material import Material
from benchmarks.peers.peer import OURS, Entry
from benchmarks.peers.processes import Answer, Running, StoreFailedError, ToolInstaller, cold

_BLOCK = 10
_WARM_UP = 5
_MEGABYTE = 1024 * 1024


@dataclass(slots=True, kw_only=True)
class Row:
    """The results of one store at one size; ``None`` for what it could not or did not do."""

    name: str
    size: int
    is_hybrid: bool
    note: str
    version: str = ""
    problem: str = ""
    remark: str = ""
    kept: int = 0
    fill_wall: float | None = None
    fill_cpu: float | None = None
    fill_peak: float | None = None
    disk: float | None = None
    warm_cpu: float | None = None
    warm_wall: float | None = None
    filtered_cpu: float | None = None
    filtered_wall: float | None = None
    find_cpu: float | None = None
    find_filtered_cpu: float | None = None
    near_cpu: float | None = None
    near_filtered_cpu: float | None = None
    recall: float | None = None
    filtered_recall: float | None = None
    asked: int = 0
    peak: float | None = None
    cold_cpu: float | None = None
    cold_wall: float | None = None

    def told(self) -> dict[str, object]:
        """Return it as JSON values."""
        return asdict(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How much is measured."""

    questions: int
    cold_runs: int
    patience: float
    largest_of_others: int


@dataclass(slots=True)
class _Asked:
    """The costs and answers of one job of one store, collected over the blocks."""

    cpu: list[float] = field(default_factory=list)
    wall: list[float] = field(default_factory=list)
    found: dict[int, list[int]] = field(default_factory=dict)

    def add(self, first: int, answer: Answer) -> None:
        self.cpu += answer["cpu"]
        self.wall += answer["wall"]
        self.found.update(enumerate(answer["found"], start=first))


class Round:
    """One size, with all stores that take part in it."""

    def __init__(
        self, workshop: ToolInstaller, material: Material, entries: Sequence[Entry], *, size: int
    ) -> None:
        self._workshop = workshop
        self._material = material
        self._size = size
        self._rows = {entry.name: _a_row(entry, size) for entry in entries}
        self._entries = list(entries)
        self._running: dict[str, Running] = {}

    def measured(self, plan: Plan) -> list[Row]:
        """Fill every store, then query them all in turns."""
        if self._size > plan.largest_of_others:
            self._entries = [entry for entry in self._entries if entry is OURS]
        for entry in list(self._entries):
            self._say(f"{entry.name}: {self._size:,} texts …")
            self._try(entry, lambda entry=entry: self._fill(entry, plan))  # type: ignore[misc]
        self._ask_warm(plan)
        self._ask_cold(plan)
        for entry in self._entries:
            shutil.rmtree(self._workshop.folder_of(entry), ignore_errors=True)
        kept = {entry.name for entry in self._entries}
        return [row for row in self._rows.values() if row.name in kept or row.problem]

    def _fill(self, entry: Entry, plan: Plan) -> None:
        shutil.rmtree(self._workshop.folder_of(entry), ignore_errors=True)
        row, running = self._rows[entry.name], Running(self._workshop, entry)
        self._running[entry.name] = running
        # Holdfast is never stopped: the other stores are compared with it.
        patience = math.inf if entry is OURS else plan.patience
        answer = running.tell(do="fill", count=self._size, patience=patience)
        row.kept, row.fill_wall, row.fill_cpu = answer["kept"], answer["wall"], answer["cpu"]
        row.fill_peak = answer["peak"]
        if answer["gave_up"]:
            row.problem = (
                f"stopped after {answer['wall']:,.0f} s, with {answer['kept']:,} texts kept"
            )
            self._leave(entry)
        elif entry.is_kept:
            row.disk = answer["disk"] / _MEGABYTE
            running.end()
            self._running[entry.name] = Running(self._workshop, entry)

    def _ask_warm(self, plan: Plan) -> None:
        jobs = [
            (leg, filtered) for leg in ("whole", "find", "vector") for filtered in (False, True)
        ]
        asked = {entry.name: {job: _Asked() for job in jobs} for entry in self._entries}
        for entry in list(self._entries):
            self._try(entry, lambda entry=entry: self._warm_up(entry))  # type: ignore[misc]
        for leg, filtered in jobs:
            self._say(f"asking {leg} questions{', filtered' if filtered else ''} …")
            for first in range(0, plan.questions, _BLOCK):
                for entry in list(self._entries):
                    if leg == "find" and entry is not OURS:
                        continue
                    gathered = asked[entry.name][leg, filtered]
                    line = {"leg": leg, "filtered": filtered, "first": first, "many": _BLOCK}
                    self._try(
                        entry,
                        lambda entry=entry, gathered=gathered, line=line: gathered.add(  # type: ignore[misc]
                            int(str(line["first"])),
                            self._running[entry.name].tell(do="ask", **line),
                        ),
                    )
        for entry in list(self._entries):
            self._write_down(entry, asked[entry.name])
            self._try(entry, lambda entry=entry: self._stop(entry))  # type: ignore[misc]

    def _warm_up(self, entry: Entry) -> None:
        for filtered in (False, True):
            self._running[entry.name].tell(
                do="ask", leg="whole", filtered=filtered, first=0, many=_WARM_UP
            )

    def _write_down(self, entry: Entry, asked: dict[tuple[str, bool], _Asked]) -> None:
        row = self._rows[entry.name]
        whole, filtered = asked["whole", False], asked["whole", True]
        row.asked = len(whole.cpu)
        row.warm_cpu, row.warm_wall = _middle(whole.cpu), _middle(whole.wall)
        row.filtered_cpu, row.filtered_wall = _middle(filtered.cpu), _middle(filtered.wall)
        row.find_cpu = _middle(asked["find", False].cpu)
        row.find_filtered_cpu = _middle(asked["find", True].cpu)
        row.near_cpu = _middle(asked["vector", False].cpu)
        row.near_filtered_cpu = _middle(asked["vector", True].cpu)
        row.recall = self._found_share(asked["vector", False].found, filtered=False)
        row.filtered_recall = self._found_share(asked["vector", True].found, filtered=True)

    def _found_share(self, found: dict[int, list[int]], *, filtered: bool) -> float | None:
        truth = self._material.truth(self._size, filtered=filtered)
        shares = [
            len(set(answer) & set(truth[place])) / len(truth[place])
            for place, answer in found.items()
            if truth[place]
        ]
        return statistics.fmean(shares) if shares else None

    def _stop(self, entry: Entry) -> None:
        answer = self._running[entry.name].tell(do="stop")
        row = self._rows[entry.name]
        row.peak, row.remark = answer["peak"], answer["remark"]
        self._running.pop(entry.name).end()

    def _ask_cold(self, plan: Plan) -> None:
        costs: dict[str, list[tuple[float, float]]] = {}
        self._say("asking in fresh processes …")
        for run in range(plan.cold_runs):
            for entry in list(self._entries):
                if entry.is_kept:
                    gathered = costs.setdefault(entry.name, [])
                    self._try(
                        entry,
                        lambda entry=entry, gathered=gathered, run=run: gathered.append(  # type: ignore[misc]
                            cold(self._workshop, entry, run)
                        ),
                    )
        for name, gathered in costs.items():
            if gathered:
                row = self._rows[name]
                row.cold_cpu = min(cpu for cpu, _ in gathered)
                row.cold_wall = min(wall for _, wall in gathered)

    def _try(self, entry: Entry, work: Callable[[], None]) -> None:
        """Run the work; a store that fails is left out from then on, and its row says why."""
        try:
            work()
        except StoreFailedError as error:
            self._say(str(error))
            self._rows[entry.name].problem = str(error).split(" (see ")[0]
            self._leave(entry)

    def _leave(self, entry: Entry) -> None:
        self._entries.remove(entry)
        running = self._running.pop(entry.name, None)
        if running is not None:
            running.end()

    @staticmethod
    def _say(words: str) -> None:
        sys.stderr.write(words + "\n")


def _a_row(entry: Entry, size: int) -> Row:
    return Row(name=entry.name, size=size, is_hybrid=entry.is_hybrid, note=entry.note)


def _middle(values: Sequence[float]) -> float | None:
    return statistics.median(values) if values else None
