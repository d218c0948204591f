"""``python -m benchmarks.signals``: the evaluation signals of a long memory, measured.

What share of memories and verdicts is right after a rebase, a merge and a force push; what a person
sees and may edit by hand; and what the commands cost in a repository of 200,000 files, beside
``git status`` in the same run. ``--short`` uses few repositories and few files.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.figures import Figure, table
from torture.crew import in_child
from torture.git_cell import Cell, cells

_SEEDS, _SHORT_SEEDS = 6, 1
_ENTRIES, _SHORT_ENTRIES = 200, 10
_FILES, _SHORT_FILES = 200_000, 400
_IN_A_FOLDER = 40
_MEGABYTE = 1_000_000
_GROUPS = {
    "rebase": ("rebase", "rebase -i, reorder", "rebase -i, squash", "gc after a rebase"),
    "merge": ("merge", "merge, squash", "merge, conflict resolved", "merge across renames"),
    "force push": ("force push, pulled", "pull --rebase", "filtered history"),
}
_MODULE = "VALUE = {number}\n\n\ndef value_{number}(step: int) -> int:\n    return VALUE + step\n"
_CLAIM = "The value of module {number} in folder {folder} is checked every {number} hours."


class Spent(NamedTuple):
    """The CPU seconds of a command with its children, its largest memory, and its output."""

    seconds: float
    megabytes: float
    output: str


class Place:
    """A repository and a store, in which commands are run one after the other."""

    def __init__(self, work: Path) -> None:
        self.folder = work / "app"
        self.home = work / "home"
        self.folder.mkdir(parents=True)
        self._environment = {
            **os.environ,
            "HOLDFAST_HOME": str(self.home),
            "HOLDFAST_EMBEDDING_MODEL": "none",
            "GIT_CONFIG_GLOBAL": os.devnull,
        }
        # An installed program has compiled code; from a source tree the first command compiles it.
        self._environment.pop("PYTHONDONTWRITEBYTECODE", None)
        self.git("init", "--quiet", "--initial-branch", "main")

    def git(self, *words: str, given: bytes = b"") -> Spent:
        """Run git."""
        author = ("-c", "user.name=a person", "-c", "user.email=person@example.org")
        return self._spent(["git", *author, *words], given)

    def holdfast(self, *words: str, given: bytes = b"") -> Spent:
        """Run the program."""
        return self._spent([sys.executable, "-P", "-m", "holdfast", *words], given)

    def _spent(self, words: Sequence[str], given: bytes) -> Spent:
        with tempfile.TemporaryFile() as source, tempfile.TemporaryFile() as output:
            source.write(given)
            source.seek(0)
            process = subprocess.Popen(
                words,
                cwd=self.folder,
                env=self._environment,
                stdin=source,
                stdout=output,
                stderr=output,
            )
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            output.seek(0)
            said = output.read().decode("utf-8", "replace")
        assert process.returncode in {0, 1}, f"{words}: {said[-500:]}"
        return Spent(used.ru_utime + used.ru_stime, used.ru_maxrss * 1024 / _MEGABYTE, said)

    @property
    def kept(self) -> float:
        """The megabytes of the folder of the store."""
        found = (path.stat().st_size for path in self.home.rglob("*") if path.is_file())
        return sum(found) / _MEGABYTE


def persistence(work: Path, *, seeds: int, most: int | None = None) -> list[Figure]:
    """Return the shares of memories and verdicts that are right after each group of operations.

    Of each group, at most so many operations are run; every one without a number.
    """
    figures: list[Figure] = []
    for group, operations in _GROUPS.items():
        names = operations[:most]
        found = [
            cell
            for seed in range(1, seeds + 1)
            for cell in in_child(lambda: list(cells(work / str(seed), seed, names)))  # noqa: B023 - called at once
        ]
        figures += _shares(group, found)
    return figures


def _shares(group: str, found: Sequence[Cell]) -> list[Figure]:
    total = sum(cell.numbers["spans"] + cell.numbers["commits"] for cell in found)
    spans, exist, again = (
        sum(cell.numbers[name] for cell in found) for name in ("spans", "exist", "found")
    )
    lost, wrong = sum(len(cell.lost) for cell in found), sum(len(cell.wrong) for cell in found)
    runs = f"{len(found)} runs"
    return [
        _share(f"{group}: memories that can be read", total - lost, total, 100, runs),
        _share(f"{group}: verdicts that are right", spans - wrong, spans, 100, runs),
        _share(f"{group}: lines that still exist, found again", again, exist, 98, runs),
    ]


def _share(name: str, part: int, whole: int, at_least: float, note: str) -> Figure:
    share = 100 * part / whole if whole else 100.0
    said = f"{part:,} of {whole:,}, {note}" if note else f"{part:,} of {whole:,}"
    return Figure(name=name, value=share, unit="%", at_least=at_least, note=said)


def inspection(work: Path, *, entries: int) -> list[Figure]:
    """Return what a page is for a person: its size, and what arrives of edits by hand."""
    place = Place(work / "pages")
    place.holdfast("init", "--files", "--no-model")
    claims = (_CLAIM.format(number=number, folder="x") for number in range(entries))
    lines = "\n".join(json.dumps({"claim": claim, "because": "I saw it"}) for claim in claims)
    place.holdfast("remember", "--batch", given=lines.encode())
    place.holdfast("sync")
    page = place.folder / ".holdfast" / "memory" / "facts.md"
    before = page.read_text(encoding="utf-8")
    after = re.sub(r"checked every (\d*[02468]) hours", r"checked every \1 minutes", before)
    page.write_text(after, encoding="utf-8")
    synced = place.holdfast("sync")
    listed = place.holdfast("list", "--limit", "1000").output
    edited, arrived = after.count(" minutes."), listed.count(" minutes.")
    now = page.read_text(encoding="utf-8")
    text = sum(len(line) for line in before.splitlines() if "is checked every" in line)
    return [
        Figure(name="page: bytes for each memory", value=len(before) / entries, unit="bytes",
               note=f"{text / entries:.0f} of them are the claim"),
        _share("page: edits by hand that are in the store after one sync", arrived, edited, 100,
               ""),
        _share("page: lines that sync left as they were edited",
               len(set(now.splitlines()) & set(after.splitlines())),
               len(set(after.splitlines())), 99, ""),
        Figure(name=f"page: sync of {edited:,} edits", value=synced.seconds, unit="s CPU"),
    ]  # fmt: skip


def large_repository(work: Path, *, files: int) -> list[Figure]:
    """Return the cost of each command in a repository of many files, beside git's own."""
    place = Place(work / "large")
    # In a child: a process starts with the memory of its parent, which would be counted.
    in_child(lambda: place.git("fast-import", "--quiet", given=_history(files)))
    place.git("reset", "--quiet", "--hard", "main")
    place.git("status", "--short")
    figures: list[Figure] = []
    rule = "must not match `from os import` in **/*.py"
    claim = _CLAIM.format(number=1, folder=1)
    commands = {
        "init": ("init", "--no-model"),
        "remember with evidence": ("remember", "--evidence", f"{_name(1)}:1-3", claim),
        "remember with a check": ("remember", "--kind", "rule", "--because", "we agreed",
                                  "--check", rule, "Modules do not import names of os."),
        "recall": ("recall", "which value of the module is checked"),
        "status": ("status",),
        "verify": ("verify",),
        "verify --checks --changed": ("verify", "--checks", "--changed"),
    }  # fmt: skip
    for name, words in commands.items():
        figures += _cost(name, place.holdfast(*words), place, files)
    call = _hook_call(place.folder / _name(1))
    figures += _cost(
        "hook before an edit",
        place.holdfast("hook", "claude", "PreToolUse", given=call),
        place,
        files,
    )
    for name in ("workspace snapshot, first", "workspace snapshot, unchanged"):
        options = ("--max-files", str(2 * files))
        figures += _cost(name, place.holdfast("workspace", "snapshot", *options), place, files)
    figures += _cost("git status", place.git("status", "--short"), place, files)
    return figures


def _cost(name: str, spent: Spent, place: Place, files: int) -> list[Figure]:
    note = f"{spent.megabytes:,.0f} MB of memory, {place.kept:,.1f} MB kept"
    return [Figure(name=f"{name}, {files:,} files", value=spent.seconds, unit="s CPU", note=note)]


def _hook_call(path: Path) -> bytes:
    call = {
        "session_id": "s1",
        "cwd": str(path.parent),
        "hook_event_name": "PreToolUse",
        "tool_name": "Edit",
        "tool_input": {"file_path": str(path), "old_string": "a", "new_string": "b"},
    }
    return json.dumps(call).encode()


def _name(number: int) -> str:
    return f"src/part{number // _IN_A_FOLDER:05}/module{number:06}.py"


def _history(files: int) -> bytes:
    """Return one commit of many files, as git imports it."""
    parts = [b"commit refs/heads/main\ncommitter a person <person@example.org> 1700000000 +0000\n"]
    parts.append(b"data 5\nBegin\n")
    for number in range(files):
        blob = _MODULE.format(number=number).encode()
        parts.append(f"M 100644 inline {_name(number)}\ndata {len(blob)}\n".encode() + blob + b"\n")
    return b"".join(parts)


def main() -> None:
    """Measure, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--short", action="store_true", help="few repositories and few files")
    parser.add_argument("--files", type=int, help="how many files the large repository has")
    parser.add_argument("--only", choices=("persistence", "inspection", "large"))
    given = parser.parse_args()
    files = given.files or (_SHORT_FILES if given.short else _FILES)
    figures: list[Figure] = []
    with tempfile.TemporaryDirectory(prefix="holdfast-signals-") as named:
        work = Path(named)
        if given.only in {None, "persistence"}:
            seeds, most = (_SHORT_SEEDS, 1) if given.short else (_SEEDS, None)
            figures += persistence(work, seeds=seeds, most=most)
        if given.only in {None, "inspection"}:
            entries = _SHORT_ENTRIES if given.short else _ENTRIES
            figures += inspection(work, entries=entries)
        if given.only in {None, "large"}:
            figures += large_repository(work, files=files)
    print(table(figures))


if __name__ == "__main__":
    main()
