"""``python -m benchmarks.workspaces``: snapshots beside restic and borg, on the same trees.

``--repository DIR`` compares hashes, pieces and diffs on consecutive versions of a git repository.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import zlib
from hashlib import sha256
from pathlib import Path

from benchmarks.figures import Figure, table
from holdfast.adapters.workspaces.chunking import LARGEST, pieces

_FILES, _SHORT_FILES = 10_000, 500
_LARGE, _SHORT_LARGE = 1_000_000_000, 30_000_000
_CHANGED = 1_000_000
_MOST_UNCHANGED_MILLIS, _MOST_ADDED = 300, 3_000_000
_VERSIONS = 40
_LONG_AGO = 1_000_000_000
_PASSWORD = {"RESTIC_PASSWORD": "x", "BORG_PASSPHRASE": "x"}


def cpu_of(words: list[str], work: Path, **more: str) -> float:
    """Return the CPU seconds of a command."""
    environment = {**os.environ, **_PASSWORD, "HOLDFAST_HOME": str(work / "home"), **more}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(words, cwd=work, env=environment, capture_output=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.returncode in {0, 1}, done.stderr.decode()[-500:]
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


_IN_A_PROGRAM = """
import sys, time, holdfast
with holdfast.open(home=sys.argv[1]) as hf:
    hf.workspaces.snapshot("small")
    spent = []
    for _ in range(5):
        before = time.process_time()
        assert not hf.workspaces.snapshot("small").is_new
        spent.append(time.process_time() - before)
    print(sorted(spent)[2])
"""


def in_a_program(keeper: Keeper) -> float:
    """Return the CPU seconds of a snapshot of an unchanged tree in a program that runs already."""
    words = [sys.executable, "-c", _IN_A_PROGRAM, str(keeper.place)]
    done = subprocess.run(words, cwd=keeper.work, capture_output=True, text=True, check=True)
    return float(done.stdout)


class Keeper:
    """A program that keeps folders: how it starts, keeps a folder, and restores it."""

    def __init__(self, name: str, work: Path) -> None:
        self.name = name
        self.work = work
        self.number = 0
        self.place = work / f"{name}-store"

    def begin(self) -> None:
        """Create the place where content is kept."""
        if self.name == "restic":
            cpu_of(["restic", "init", "-q", "-r", str(self.place)], self.work)
        if self.name == "borg":
            cpu_of(["borg", "init", "-e", "none", str(self.place)], self.work)

    def keep(self, folder: str) -> float:
        """Keep a folder; return the CPU seconds."""
        self.number += 1
        match self.name:
            case "holdfast":
                options = ("--max-file", "4G")
                program = [sys.executable, "-P", "-m", "holdfast"]
                words = [*program, "workspace", "snapshot", folder, *options]
                return cpu_of(words, self.work, HOLDFAST_HOME=str(self.place))
            case "restic":
                words = ["restic", "backup", "-q", "-r", str(self.place), folder]
            case _:
                words = ["borg", "create", f"{self.place}::{self.number}", folder]
        return cpu_of(words, self.work)

    @property
    def size(self) -> int:
        """The bytes of everything that is kept."""
        return sum(one.stat().st_size for one in self.place.rglob("*") if one.is_file())


def measured(name: str, work: Path, *, files: int, large: int) -> list[Figure]:
    """Return the figures of one program on both trees."""
    keeper = Keeper(name, work)
    keeper.begin()
    first = keeper.keep("small")
    keeper.keep("small")
    again = keeper.keep("small")
    many = f"{files:,} files"
    is_ours = name == "holdfast"
    figures = [
        a_figure(f"{name}: first snapshot of {many}", first, "s CPU"),
        a_figure(f"{name}: unchanged tree of {many}, whole command", again * 1000, "ms CPU"),
    ]
    if is_ours:
        unchanged = f"{name}: unchanged tree of {many}, in a running program"
        millis = in_a_program(keeper) * 1000
        figures.append(a_figure(unchanged, millis, "ms CPU", at_most=_MOST_UNCHANGED_MILLIS))
    before = keeper.size
    first = keeper.keep("large")
    kept = keeper.size
    change(work / "large" / "data.bin", large)
    second = keeper.keep("large")
    added = keeper.size - kept
    figures += [
        a_figure(f"{name}: first snapshot of {large / 1e6:,.0f} MB", first, "s CPU"),
        a_figure(f"{name}: stored for them", (kept - before) / 1e6, "MB"),
        a_figure(f"{name}: snapshot after 1 MB changed", second, "s CPU"),
        a_figure(
            f"{name}: stored for 1 MB changed",
            added / 1e6,
            "MB",
            at_most=_MOST_ADDED / 1e6 if is_ours else None,
        ),
    ]
    change(work / "large" / "data.bin", large)
    shutil.rmtree(keeper.place)
    return figures


def small_tree(folder: Path, files: int) -> None:
    """Write small files that look like source code."""
    dice = random.Random(1)
    for number in range(files):
        path = folder / f"package{number % 100}" / f"part{number % 7}" / f"module{number}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = (f"value_{dice.randrange(9999)} = {dice.random()}\n" for _ in range(40))
        path.write_text("".join(lines), encoding="utf-8")
        os.utime(path, (_LONG_AGO, _LONG_AGO))
    (folder / ".gitignore").write_text("*.pyc\n__pycache__/\nbuild/\n/dist\n", encoding="utf-8")


def large_tree(folder: Path, size: int) -> None:
    """Write one large file that cannot be compressed."""
    folder.mkdir()
    dice = random.Random(2)
    with (folder / "data.bin").open("wb") as file:
        for _ in range(size // _CHANGED):
            file.write(dice.randbytes(_CHANGED))


def change(path: Path, size: int) -> None:
    """Change one million bytes in the middle of a file; a second call changes them back."""
    with path.open("r+b") as file:
        file.seek(size // 2 + 333)
        held = file.read(_CHANGED)
        file.seek(size // 2 + 333)
        file.write(bytes(one ^ 0x55 for one in held))


def versions(repository: Path, count: int) -> list[str]:
    """Return commits of the first-parent history, oldest first, evenly spread."""
    said = git(repository, "rev-list", "--first-parent", "HEAD").decode().split()
    recent = said[: count * 10 : 10]
    return recent[::-1]


def git(repository: Path, *words: str) -> bytes:
    """Return what git says."""
    done = subprocess.run(["git", "-C", str(repository), *words], capture_output=True, check=True)
    return done.stdout


def tree_of(repository: Path, commit: str) -> dict[str, str]:
    """Return the blobs of a commit by path."""
    said = git(repository, "ls-tree", "-r", "-z", commit).split(b"\0")[:-1]
    rows = [row.split(b"\t", 1) for row in said]
    return {
        name.decode(errors="surrogateescape"): head.split()[2].decode()
        for head, name in rows
        if head.startswith(b"100")
    }


def hash_or_diff(repository: Path, count: int) -> list[Figure]:
    """Compare what versions of a repository take: whole files, pieces, and diffs.

    A diff needs the version before it. Its size is that of git's own binary diff, compressed.
    """
    commits = versions(repository, count)
    whole: dict[str, int] = {}
    small: dict[str, int] = {}
    diffs = total = 0
    contents: dict[str, bytes] = {}
    for place, commit in enumerate(commits):
        tree = tree_of(repository, commit)
        for blob in set(tree.values()) - whole.keys():
            contents[blob] = git(repository, "cat-file", "blob", blob)
            whole[blob] = len(zlib.compress(contents[blob], 1))
            parts = [contents[blob]]
            if len(contents[blob]) > LARGEST:
                parts = list(pieces(parts))
            for part in parts:
                small.setdefault(sha256(part).hexdigest(), len(zlib.compress(part, 1)))
        total += sum(len(contents[blob]) for blob in tree.values())
        if place == 0:
            diffs = sum(whole[blob] for blob in tree.values())
        else:
            said = git(repository, "diff", "--binary", "-M", commits[place - 1], commit)
            diffs += len(zlib.compress(said, 1))
    name = repository.parent.name.partition("+")[2] or repository.name
    return [
        a_figure(f"{name}: {len(commits)} versions as they are", total / 1e6, "MB"),
        a_figure(f"{name}: by the hash of whole files", sum(whole.values()) / 1e6, "MB"),
        a_figure(f"{name}: by the hash of pieces", sum(small.values()) / 1e6, "MB"),
        a_figure(f"{name}: first version and diffs", diffs / 1e6, "MB"),
    ]


def a_figure(name: str, value: float, unit: str, *, at_most: float | None = None) -> Figure:
    """Return a figure."""
    return Figure(name=name, value=value, unit=unit, at_most=at_most)


def main() -> None:
    """Measure, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--short", action="store_true", help="small trees")
    parser.add_argument("--repository", action="append", default=[], type=Path, metavar="DIR")
    parser.add_argument("--versions", type=int, default=_VERSIONS)
    given = parser.parse_args()
    if given.repository:
        for repository in given.repository:
            print(table(hash_or_diff(repository, given.versions)))
        return
    files = _SHORT_FILES if given.short else _FILES
    large = _SHORT_LARGE if given.short else _LARGE
    with tempfile.TemporaryDirectory() as named:
        work = Path(named)
        small_tree(work / "small", files)
        large_tree(work / "large", large)
        found: list[Figure] = []
        for name in ("holdfast", "restic", "borg"):
            if name == "holdfast" or shutil.which(name):
                found += measured(name, work, files=files, large=large)
        print(table(found))


if __name__ == "__main__":
    main()
