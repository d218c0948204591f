"""A model of a repository's lines beside git: each line has its own identity.

Texts repeat, identities do not. A change is a list of edits that name lines by identity, so it can
be applied wherever these lines are now, as a merge, a rebase or a cherry-pick does. This module
depends neither on git nor on Holdfast.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Line:
    """One line: its identity, its block (a function, a paragraph), and its text."""

    id: int
    block: int
    text: str


@dataclass(frozen=True, slots=True)
class Page:
    """One file."""

    lines: tuple[Line, ...]
    end: str = "\n"
    has_bom: bool = False
    is_open: bool = False

    @property
    def raw(self) -> bytes:
        """The bytes on disk; an open file has no line end after its last line."""
        text = self.end.join(line.text for line in self.lines)
        last = self.end if self.lines and not self.is_open else ""
        raw = f"{text}{last}".encode()
        return BOM + raw if self.has_bom else raw

    def blocks(self) -> list[tuple[Line, ...]]:
        """Return the lines by block, in order."""
        found: list[list[Line]] = []
        for line in self.lines:
            if found and found[-1][0].block == line.block:
                found[-1].append(line)
            else:
                found.append([line])
        return [tuple(block) for block in found]


Tree = Mapping[str, Page]


@dataclass(frozen=True, slots=True)
class Insert:
    """Insert lines after another line, or at the top of a file."""

    lines: tuple[Line, ...]
    after: int | None
    path: str = ""

    def done(self, tree: Tree) -> Tree:
        path, index = (self.path, 0) if self.after is None else place_of(tree, self.after)
        at = 0 if self.after is None else index + 1
        old = tree[path].lines
        return _with(tree, path, (*old[:at], *self.lines, *old[at:]))

    def undone(self, _before: Tree) -> tuple[Edit, ...]:
        return (Delete(frozenset(line.id for line in self.lines)),)


@dataclass(frozen=True, slots=True)
class Delete:
    """Delete lines."""

    ids: frozenset[int]

    def done(self, tree: Tree) -> Tree:
        for path, page in tree.items():
            left = tuple(line for line in page.lines if line.id not in self.ids)
            if len(left) < len(page.lines):
                tree = _with(tree, path, left)
        return tree

    def undone(self, before: Tree) -> tuple[Edit, ...]:
        back: list[Edit] = []
        for path, page in before.items():
            previous: int | None = None
            for line in page.lines:
                if line.id in self.ids:
                    back.append(Insert((line,), previous, path))
                previous = line.id
        return tuple(back)


@dataclass(frozen=True, slots=True)
class Change:
    """Change the texts of lines, which keep their identities."""

    texts: Mapping[int, str]

    def done(self, tree: Tree) -> Tree:
        for path, page in tree.items():
            if any(line.id in self.texts for line in page.lines):
                lines = [
                    replace(line, text=self.texts.get(line.id, line.text)) for line in page.lines
                ]
                tree = _with(tree, path, lines)
        return tree

    def undone(self, before: Tree) -> tuple[Edit, ...]:
        lines = [line for page in before.values() for line in page.lines]
        return (Change({line.id: line.text for line in lines if line.id in self.texts}),)


@dataclass(frozen=True, slots=True)
class Rename:
    """Rename a file."""

    old: str
    new: str

    def done(self, tree: Tree) -> Tree:
        return {self.new if path == self.old else path: page for path, page in tree.items()}

    def undone(self, _before: Tree) -> tuple[Edit, ...]:
        return (Rename(self.new, self.old),)


@dataclass(frozen=True, slots=True)
class Put:
    """Add a file, or replace it whole."""

    path: str
    page: Page

    def done(self, tree: Tree) -> Tree:
        return {**tree, self.path: self.page}

    def undone(self, before: Tree) -> tuple[Edit, ...]:
        old = before.get(self.path)
        return (Drop(self.path),) if old is None else (Put(self.path, old),)


@dataclass(frozen=True, slots=True)
class Drop:
    """Delete a file."""

    path: str

    def done(self, tree: Tree) -> Tree:
        return {path: page for path, page in tree.items() if path != self.path}

    def undone(self, before: Tree) -> tuple[Edit, ...]:
        return (Put(self.path, before[self.path]),)


Edit = Insert | Delete | Change | Rename | Put | Drop
Patch = tuple[Edit, ...]


def applied(patch: Iterable[Edit], tree: Tree) -> Tree:
    """Return the files after a change."""
    for edit in patch:
        tree = edit.done(tree)
    return tree


def reverted(patch: Patch, before: Tree) -> Patch:
    """Return the inverse of a change, given the files before it."""
    back: list[tuple[Edit, ...]] = []
    for edit in patch:
        back.append(edit.undone(before))
        before = edit.done(before)
    return tuple(edit for edits in reversed(back) for edit in edits)


def place_of(tree: Tree, line_id: int) -> tuple[str, int]:
    """Return the place of a line: its file, and its index from 0.

    Raises:
        KeyError: The line does not exist.
    """
    for path, page in tree.items():
        for index, line in enumerate(page.lines):
            if line.id == line_id:
                return path, index
    raise KeyError(line_id)


def carried(lines: Iterable[Line], after: int | None, path: str = "") -> Patch:
    """Return the change that moves lines to another place."""
    taken = tuple(lines)
    return (
        Delete(frozenset(line.id for line in taken)),
        Insert(taken, after, path),
    )


def _with(tree: Tree, path: str, lines: Iterable[Line]) -> Tree:
    return {**tree, path: replace(tree[path], lines=tuple(lines))}
