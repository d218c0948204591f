"""Changes that alter no file metadata: a verdict ``fresh`` must not outlive its text.

A memory page that is dirty already is changed through a memory map, so that size, times and inode
stay the same. The evidence is verified before and after each change.
"""

from __future__ import annotations

import mmap
import os
import random
from collections.abc import Mapping, Sequence
from pathlib import Path

from holdfast.app import Holdfast
from holdfast.domain.ids import SpanId
from holdfast.domain.memory.anchor import Sighting, Verdict
from holdfast.domain.memory.evidence import Span
from holdfast.domain.values import replace
from holdfast.ports.anchors.verifier import Verifier
from holdfast.usecases.anchors.verify import Verify
from torture.plants import Plant, planted
from torture.report import Report, Tally, faulty
from torture.small_repository import Delegating, functions, keep, make, opened
from torture.task import Task

FILE = "steps.py"
FUNCTIONS = 12
_LINES_EACH = 5


class StatTrusting(Delegating):
    """A verifier with the planted bug: if the metadata is unchanged, it repeats its verdict."""

    def __init__(self, inner: Verifier, path: Path) -> None:
        super().__init__(inner)
        self._path = path
        self._known: dict[tuple[int, ...], Mapping[SpanId, Sighting]] = {}

    def examine(
        self, spans: Sequence[Span], *, at: str | None = None, is_noted: bool = True
    ) -> Mapping[SpanId, Sighting]:
        """Return the verdict on each span."""
        noted = self._path.stat()
        key = (noted.st_size, noted.st_mtime_ns, noted.st_ino)
        if key not in self._known:
            self._known[key] = self.inner.examine(spans, at=at, is_noted=is_noted)
        return self._known[key]


def run(task: Task) -> Report:
    """Change a cited line through a memory map repeatedly, and check the verdicts."""
    changes = task.number(short=12, full=500)
    chance = random.Random(task.seed)
    root = make(task.folder("racy"), {FILE: functions(chance, FUNCTIONS)})
    tally = Tally()
    with opened(root) as app:
        first = 1 + _LINES_EACH * chance.randrange(FUNCTIONS)
        keep(app, "The step finds its ledger.", f"{FILE}:{first}-{first + 2}")
        asked = _with_planted(app, root / FILE)
        with (root / FILE).open("r+b") as file, mmap.mmap(file.fileno(), 0) as page:
            start = _start_of_line(page, first + 1)
            for _ in range(changes):
                tally += _flipped(page, start + chance.randrange(8, 24), root / FILE, asked)
    return Report(tool="racy", done=f"{changes} changes that the disk does not note", tally=tally)


def _with_planted(app: Holdfast, path: Path) -> Holdfast:
    if planted(Plant.TRUSTED_STAT) and app.verifier is not None:
        verifier: Verifier = StatTrusting(app.verifier, path)
        return replace(app, verifier=verifier)
    return app


def _start_of_line(page: mmap.mmap, line: int) -> int:
    at = 0
    for _ in range(line - 1):
        at = page.find(b"\n", at) + 1
    return at


def _flipped(page: mmap.mmap, at: int, path: Path, app: Holdfast) -> Tally:
    """Change one byte and change it back; each time the verdict must follow."""
    before, noted = page[at : at + 1], path.stat()
    page[at : at + 1] = b"~"
    os.utime(path, ns=(noted.st_atime_ns, noted.st_mtime_ns))
    changed = _verdict(app)
    page[at : at + 1] = before
    os.utime(path, ns=(noted.st_atime_ns, noted.st_mtime_ns))
    restored = _verdict(app)
    tally = Tally(faults=2)
    if changed in {Verdict.FRESH, Verdict.MOVED}:
        tally += faulty(f"false {changed.value}: the line is another one")
    if restored is not Verdict.FRESH:
        tally += faulty(f"{restored.value}, though the line is back")
    return tally


def _verdict(app: Holdfast) -> Verdict:
    (checked,) = app.evidence.verify(Verify()).checked
    return checked.verdict
