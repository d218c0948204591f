"""Follows the identity of lines through a real history, independently of the product.

Each commit of the first-parent line is compared with its parent by git's own diff. A line that the
diff keeps has the same identity. A line that the commit removes in one place and adds in another
also keeps it, if its text is unique among the removed and the added lines. The product compares
only the first commit with the last one, so it has less information.
"""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from torture.git_lines import Line, Page, Tree

_HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_MARK = "\x01commit "
_DIFF = (
    *("--first-parent", "-m", "--reverse", "-p", "-U0", "-M", "--no-color", "--no-ext-diff"),
    *("--no-textconv", "--src-prefix=a/", "--dst-prefix=b/", "--full-index"),
)
_TELLING = 8


@dataclass(slots=True)
class Hunk:
    """Lines that one commit removes and adds."""

    at: int
    removed: list[str]
    to: int
    added: list[str]
    new: list[Line] = field(default_factory=list)


@dataclass(slots=True)
class FileChange:
    """One file in one commit: its names before and after; None if it did not exist."""

    old: str | None = None
    new: str | None = None
    hunks: list[Hunk] = field(default_factory=list)
    is_binary: bool = False


def run_git(root: Path, *words: str) -> str:
    """Return git's output in a repository; line ends are kept."""
    done = subprocess.run(
        ["git", "-c", "core.quotePath=false", "-C", str(root), *words],
        check=True,
        capture_output=True,
    )
    return done.stdout.decode("utf-8", "surrogateescape")


class LineHistory:
    """The files of the newest commits of a repository, with the identity of each line."""

    def __init__(self, root: Path, *, most: int, algorithm: str) -> None:
        newest = run_git(root, "rev-list", "--first-parent", f"--max-count={most}", "HEAD")
        self.commits = newest.split()[::-1]
        self._ids = count(1)
        self.trees: dict[str, Tree] = {}
        tree = self._first(root, self.commits[0])
        self.trees[self.commits[0]] = tree
        span = f"{self.commits[0]}..{self.commits[-1]}"
        words = ("log", *_DIFF, f"--diff-algorithm={algorithm}", f"--format={_MARK}%H", span)
        for name, changes in _commits(run_git(root, *words)):
            tree = self._step(tree, changes)
            self.trees[name] = tree
        self.commits = [name for name in self.commits if name in self.trees]

    def _first(self, root: Path, commit: str) -> Tree:
        tree: dict[str, Page] = {}
        for path, content in _files_of(root, commit):
            if b"\0" not in content:
                text = content.decode("utf-8", "surrogateescape")
                tree[path] = Page(tuple(self._line(one) for one in _split(text)))
        return tree

    def _line(self, text: str) -> Line:
        return Line(next(self._ids), 0, text)

    def _step(self, before: Tree, changes: Sequence[FileChange]) -> Tree:
        """Return the files after a commit."""
        removed: list[list[Line]] = []
        added: list[list[Line]] = []
        for change in changes:
            page = before.get(change.old or "", Page(()))
            for hunk in change.hunks:
                start = hunk.at - 1 if hunk.removed else hunk.at
                removed.append(list(page.lines[start : start + len(hunk.removed)]))
                hunk.new = [self._line(text) for text in hunk.added]
                added.append(hunk.new)
        _carry(removed, added)
        after = dict(before)
        for change in changes:
            if change.old is not None:
                after.pop(change.old, None)
        for change in changes:
            is_known = change.old is None or change.old in before
            if change.new is not None and is_known and not change.is_binary:
                after[change.new] = _patched(before.get(change.old or "", Page(())), change.hunks)
        return after


def _files_of(root: Path, commit: str) -> Iterator[tuple[str, bytes]]:
    """Return the regular files of a commit, read by one process."""
    blobs = {}
    for row in run_git(root, "ls-tree", "-r", "-z", commit).split("\0")[:-1]:
        facts, _, path = row.partition("\t")
        if facts.startswith("100"):
            blobs[path] = facts.split()[2]
    done = subprocess.run(
        ["git", "-C", str(root), "cat-file", "--batch"],
        input="".join(f"{blob}\n" for blob in blobs.values()).encode(),
        check=True,
        capture_output=True,
    )
    at = 0
    for path in blobs:
        end = done.stdout.index(b"\n", at)
        size = int(done.stdout[at:end].split()[2])
        yield path, done.stdout[end + 1 : end + 1 + size]
        at = end + 2 + size


def _split(text: str) -> list[str]:
    lines = text.split("\n")
    return [line.removesuffix("\r") for line in (lines if lines[-1] else lines[:-1])]


def _patched(page: Page, hunks: Sequence[Hunk]) -> Page:
    lines, at = list[Line](), 0
    for hunk in hunks:
        start = hunk.at - 1 if hunk.removed else hunk.at
        lines += page.lines[at:start]
        lines += hunk.new
        at = start + len(hunk.removed)
    lines += page.lines[at:]
    return Page(tuple(lines))


def _carry(removed: Sequence[list[Line]], added: Sequence[list[Line]]) -> None:
    """Keep the identity of lines that one commit removes here and adds there."""
    out = Counter(line.text for run in removed for line in run)
    into = Counter(line.text for run in added for line in run)
    sources = {
        line.text: (run, index)
        for run in removed
        for index, line in enumerate(run)
        if out[line.text] == into[line.text] == 1 and _tells(line.text)
    }
    taken: set[int] = set()
    for target in added:
        for index, line in enumerate(target):
            if line.text in sources:
                run, at = sources[line.text]
                for step in (-1, 1):
                    _extend(run, at, target, index, step, taken)


def _extend(
    run: list[Line], at: int, target: list[Line], to: int, step: int, taken: set[int]
) -> None:
    while 0 <= at < len(run) and 0 <= to < len(target) and run[at].text == target[to].text:
        if run[at].id not in taken or target[to].id == run[at].id:
            target[to] = run[at]
            taken.add(run[at].id)
        at, to = at + step, to + step


def _tells(text: str) -> bool:
    return sum(map(str.isalnum, text)) >= _TELLING


def _commits(words: str) -> Iterator[tuple[str, list[FileChange]]]:
    for part in words.split(_MARK)[1:]:
        name, _, patch = part.partition("\n")
        yield name, list(_changes(patch.split("\n")))


def _changes(lines: Sequence[str]) -> Iterator[FileChange]:
    change: FileChange | None = None
    at = 0
    while at < len(lines):
        line = lines[at]
        at += 1
        if line.startswith("diff --git "):
            if change is not None:
                yield change
            change = FileChange()
        elif change is None:
            continue
        elif found := _HUNK.match(line):
            at = _hunk(change, found, lines, at)
        else:
            _head(change, line, lines, at)
    if change is not None:
        yield change


def _head(change: FileChange, line: str, lines: Sequence[str], at: int) -> None:
    if line.startswith("--- "):
        change.old = _name(line[4:])
    elif line.startswith("+++ "):
        change.new = _name(line[4:])
    elif line.startswith("rename from "):
        change.old = line[12:]
    elif line.startswith("rename to "):
        change.new = line[10:]
    elif line.startswith("Binary files "):
        change.is_binary = True
        old, _, new = line[13:].removesuffix(" differ").partition(" and ")
        change.old, change.new = _name(old), _name(new)


def _name(word: str) -> str | None:
    word = word.removesuffix("\t").strip('"')
    return None if word == "/dev/null" else word[2:]


def _hunk(change: FileChange, found: re.Match[str], lines: Sequence[str], at: int) -> int:
    start, gone, to, come = (1 if one is None else int(one) for one in found.groups())
    removed, added = list[str](), list[str]()
    while len(removed) < gone or len(added) < come:
        line = lines[at]
        at += 1
        if line.startswith("-"):
            removed.append(line[1:].removesuffix("\r"))
        elif line.startswith("+"):
            added.append(line[1:].removesuffix("\r"))
    change.hunks.append(Hunk(start, removed, to, added))
    return at
