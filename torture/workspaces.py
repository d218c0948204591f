"""Processes that are killed while they take or restore a snapshot.

Each child counts its operations on files and kills itself at a random one. Afterwards the store
must be sound, every snapshot must restore bit for bit, each file whose restore was killed
must be the old one or the new one, and a second restore must finish the work.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import sys
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from holdfast.adapters.workspaces.contents import PackedWriter
from holdfast.app import Holdfast
from holdfast.bootstrap.opening.wiring import open_holdfast
from holdfast.domain.errors import HoldfastError
from holdfast.usecases.workspaces.restore_plan import RestoreSnapshot
from holdfast.usecases.workspaces.snapshot import TakeSnapshot
from torture.plants import Plant, planted
from torture.principal import A_PERSON
from torture.report import MOST_NOTES, Report, Tally
from torture.task import Task

KILLS, SHORT_KILLS = 2_000, 24
_FILES, _LARGE = 12, 600_000
_MOST_KEPT = 6
_STEPS = 20
_LAST_OPERATION = 180
"""A restore begins to replace files at about its hundredth operation."""
_COUNTED = frozenset(
    {
        *("open", "os.rename", "os.mkdir", "os.remove", "os.rmdir", "os.symlink", "os.chmod"),
        *("os.truncate", "os.utime", "os.scandir", "fcntl.flock", "os.listdir"),
    }
)


@dataclass(slots=True)
class KilledSite:
    """A folder, a store, and what each snapshot of it must restore to."""

    folder: Path
    chance: random.Random
    pictures: dict[str, dict[str, str]] = field(default_factory=dict)

    @property
    def work(self) -> Path:
        """The folder that is kept."""
        return self.folder / "work"

    def memory(self) -> closing[Holdfast]:
        """Open the store, seen from the folder."""
        home = self.folder / "home"
        return closing(open_holdfast(principal=A_PERSON, home=home, folder=self.work))

    def change(self) -> None:
        """Change the folder a little: write, extend, rename and remove files."""
        self.work.mkdir(exist_ok=True)
        for _ in range(4):
            path = self.work / f"d{self.chance.randrange(3)}" / f"f{self.chance.randrange(_FILES)}"
            path.parent.mkdir(exist_ok=True)
            size = self.chance.choice([0, 50, 5_000, _LARGE])
            if path.exists() and self.chance.random() < 0.3:
                path.unlink()
            else:
                path.write_bytes(self.chance.randbytes(size))
                path.chmod(self.chance.choice([0o600, 0o644, 0o755]))

    def once(self) -> Tally:
        """Kill a snapshot and a restore, and check everything after each."""
        notes: list[str] = []
        killed = 0
        try:
            killed = self.tried(notes)
        except HoldfastError as error:
            notes.append(f"a verb failed: {error}")
        return Tally(
            acks=2 - killed, faults=killed, bad=len(notes), notes=tuple(notes[:MOST_NOTES])
        )

    def tried(self, notes: list[str]) -> int:
        """Kill a snapshot and a restore; return how many were killed, and note what is wrong."""
        self.change()
        before = pictured(self.work)
        taken = self.killed(lambda app: app.workspaces.snapshot(TakeSnapshot()))
        notes += self.faults()
        with self.memory() as app:
            kept = app.workspaces.snapshot(TakeSnapshot()).snapshot.id
        self.pictures[kept] = before
        wanted = self.chance.choice(list(self.pictures))
        wish = RestoreSnapshot(reference=wanted, replaces=True, removes=True)
        restored = self.killed(lambda app: app.workspaces.restore(wish))
        notes += self.halves(before, self.pictures[wanted])
        with self.memory() as app:
            app.workspaces.restore(wish)
        if pictured(self.work) != self.pictures[wanted]:
            notes.append(f"the second restore of {wanted} is not exact")
        notes += self.faults()
        notes += self.collected()
        return taken + restored

    def killed(self, work: Callable[[Holdfast], object]) -> bool:
        """Do work in a child that kills itself at some operation; return whether it did."""
        at = self.chance.randrange(5, _LAST_OPERATION)
        child = os.fork()
        if child == 0:
            plant()
            with suppress(HoldfastError), self.memory() as app:
                kill_at(at)
                work(app)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        return os.WIFSIGNALED(status)

    def faults(self) -> list[str]:
        """Check the store, and restore every snapshot that is known."""
        notes: list[str] = []
        with self.memory() as app:
            found = app.upkeep.check(lambda *_: None)
            notes += [one.message for one in found if one.severity == "damage"]
            for name, picture in self.pictures.items():
                out = self.folder / "out"
                shutil.rmtree(out, ignore_errors=True)
                app.workspaces.restore(RestoreSnapshot(reference=name), into=out)
                if pictured(out) != picture:
                    wrong = set(pictured(out).items()) ^ set(picture.items())
                    notes.append(f"{name} is not what was kept: {min(wrong)}")
        return notes

    def halves(self, old: dict[str, str], new: dict[str, str]) -> list[str]:
        """Return the files that are neither the old one nor the new one."""
        return [
            f"{path} is neither old nor new"
            for path, content in pictured(self.work).items()
            if not path.startswith(".holdfast-restore-")
            and content not in {old.get(path), new.get(path)}
        ]

    def collected(self) -> list[str]:
        """Delete old snapshots and collect garbage; nothing unfinished may stay."""
        with self.memory() as app:
            listed = app.workspaces.list(limit=100).snapshots
            for one in listed[_MOST_KEPT:]:
                app.workspaces.delete(one.id)
                self.pictures.pop(one.id, None)
            app.workspaces.gc()
        packs = self.folder / "home" / "workspaces" / "packs"
        return [f"{one.name} was left behind" for one in packs.glob("*.unfinished")]


def plant() -> None:
    """Put the planted bug into this process, if there is one."""
    if planted(Plant.RESTORED_IN_PLACE):
        setattr(os, "rename", _copied_in_place)  # noqa: B010 - the bug has fewer options
    if planted(Plant.ROWS_FIRST):
        finish = PackedWriter.finish

        def late(writer: PackedWriter) -> None:
            finish(writer)

        setattr(PackedWriter, "finish", lambda _writer: 0)  # noqa: B010 - the bug
        setattr(PackedWriter, "drop", late)  # noqa: B010 - the bug


def _copied_in_place(source: str, target: str, *, src_dir_fd: int, dst_dir_fd: int) -> None:
    """Write over the file that is replaced, in small steps."""
    file = os.open(source, os.O_RDONLY, dir_fd=src_dir_fd)
    content, mode = os.pread(file, _LARGE, 0), os.fstat(file).st_mode
    os.close(file)
    for step in range(1, _STEPS + 1):
        file = os.open(target, os.O_WRONLY | os.O_CREAT, dir_fd=dst_dir_fd)
        os.ftruncate(file, 0)
        os.pwrite(file, content[: len(content) * step // _STEPS], 0)
        os.fchmod(file, mode)
        os.close(file)


def kill_at(number: int) -> None:
    """Kill this process at its next so many operations on files."""
    left = number

    def count(event: str, _facts: object) -> None:
        nonlocal left
        if event in _COUNTED:
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(count)


def pictured(root: Path) -> dict[str, str]:
    """Return a folder: the mode and hash of each file, by path."""
    return {
        str(path.relative_to(root)): "folder"
        if path.is_dir()
        else f"{path.stat().st_mode:o} {sha256(path.read_bytes()).hexdigest()}"
        for path in sorted(root.rglob("*"))
    }


def run(task: Task) -> Report:
    """Kill so many snapshots and restores."""
    many = task.number(short=SHORT_KILLS, full=KILLS)
    site = KilledSite(folder=task.folder("workspaces"), chance=random.Random(task.seed))
    tally = Tally()
    while tally.faults < many and not tally.bad:
        tally += site.once()
    done = f"{tally.faults:,} snapshots and restores killed"
    return Report(tool="workspaces", done=done, tally=tally)
