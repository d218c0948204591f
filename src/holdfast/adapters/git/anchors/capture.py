"""Records the anchor of lines at the moment they are read.

Git is called a fixed number of times, however many places a command names. Facts that git does not
give quickly are left out: the content alone is enough to find the lines again.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cached_property
from time import monotonic
from typing import TYPE_CHECKING

from holdfast.adapters.git.lineage.patches import PATCH
from holdfast.adapters.git.lineage.standing import checked_out
from holdfast.adapters.git.reading.reading import blob_names, maybe_lines
from holdfast.adapters.git.reading.refs import read_refs
from holdfast.adapters.git.reading.repository import LONGEST_SECONDS, ask_git_bytes
from holdfast.domain.anchors.line_alignment import GONE, align
from holdfast.domain.errors import OutsideUnavailableError
from holdfast.domain.memory.anchor import anchored
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from holdfast.adapters.git.reading.repository import Repository
    from holdfast.domain.code.code import Symbol
    from holdfast.domain.memory.anchor import Anchor
    from holdfast.ports.recall.code import Outline

MOST_ASKED = 8
_BLAME = ("blame", "--line-porcelain", "--no-textconv")
_QUICK = 1.0
_PAUSE = 1.0
_SHA1_LETTERS, _SHA256_LETTERS = _LETTERS = (40, 64)
_UNCOMMITTED = "0"


class Capture:
    """Creates anchors for all the places that one command names."""

    def __init__(self, repository: Repository, *, outline: Outline | None = None) -> None:
        self._repository = repository
        self._outline = outline
        self._asked = 0
        self._last = 0.0
        self._is_slow = False
        self._trees: dict[str, Mapping[str, str]] = {}
        self._patches: dict[str, str | None] = {}
        self._symbols: dict[tuple[str, str], Sequence[Symbol]] = {}

    def anchor(
        self, path: str, content: bytes, lines: Sequence[str], *, first: int, last: int
    ) -> Anchor:
        """Return the anchor of some lines of a file, counted from 1."""
        self._count()
        head, branch = self._standing()
        letters = self._letters if head is None else len(head)
        names = blob_names(content, letters=letters)
        committed = None if head is None else self._committed(head, path)
        is_committed = committed in names
        touched_by = None
        if committed is not None:
            at = first if is_committed else self._first_committed(committed, lines, first, last)
            touched_by = self._touched_by(path, at, at + last - first)
        return replace(
            anchored(lines, first, last, is_kept_by_git=is_committed),
            symbol=self._symbol((path, names[0]), lines, first, last),
            blob=committed if is_committed else names[0],
            is_committed=is_committed,
            head=head,
            branch=branch,
            touched_by=touched_by,
            patch=None if touched_by is None else self._patch(touched_by),
        )

    def _count(self) -> None:
        """Count the places of one command; in a long-running program a pause resets the count."""
        now = monotonic()
        if now - self._last > _PAUSE:
            self._asked, self._is_slow = 0, False
            self._symbols.clear()
        self._asked, self._last = self._asked + 1, now

    def _standing(self) -> tuple[str | None, str | None]:
        """Return the commit and the branch that are checked out now."""
        with suppress(OutsideUnavailableError):
            refs = read_refs(self._repository)
            return refs.tip("HEAD"), checked_out(refs)
        return None, None

    @cached_property
    def _letters(self) -> int:
        """The length of git's hashes in this repository, if no hash is at hand."""
        with suppress(OSError):
            words = (self._repository.common_dir / "config").read_bytes().lower().split()
            return _SHA256_LETTERS if b"sha256" in words else _SHA1_LETTERS
        return _SHA1_LETTERS

    def _committed(self, head: str, path: str) -> str | None:
        """Return the blob of a path at HEAD; for many paths, one call asks for all."""
        if self._asked <= MOST_ASKED:
            return self._listed(head, "--", path).get(path)
        if head not in self._trees:
            self._trees = {head: self._listed("-r", head)}
        return self._trees[head].get(path)

    def _listed(self, *words: str) -> dict[str, str]:
        """Return blobs by path; each path is taken literally."""
        answer = self._answer("--literal-pathspecs", "ls-tree", "--full-tree", "-z", *words)
        found = {}
        for entry in answer.split(b"\0")[:-1]:
            facts, _, name = entry.partition(b"\t")
            found[name.decode("utf-8", "surrogateescape")] = facts.decode().split()[2]
        return found

    def _first_committed(self, blob: str, lines: Sequence[str], first: int, last: int) -> int:
        """Return the line, from 1, where HEAD's version has an edited file's lines; 0 if none."""
        if self._is_over():
            return 0
        committed = maybe_lines(self._answer("cat-file", "blob", blob)) or []
        kept = align(lines, committed)[first - 1 : last]
        is_whole = GONE not in kept and kept == list(range(kept[0], kept[0] + len(kept)))
        return kept[0] + 1 if is_whole else 0

    def _touched_by(self, path: str, first: int, last: int) -> str | None:
        """Return the commit that last touched lines of HEAD's file, if git answers quickly.

        The file on disk is not passed to git: git would run the repository's filters on it.
        """
        if self._is_over() or first == 0:
            return None
        lines = f"-L{first},{last}"
        answer = self._answer(*_BLAME, lines, "HEAD", "--", path, quickly=True)
        return _newest(answer)

    def _is_over(self) -> bool:
        return self._asked > MOST_ASKED or self._is_slow

    def _patch(self, commit: str) -> str | None:
        """Return the patch-id of a commit, which it keeps when it is rebased."""
        if commit not in self._patches:
            change = self._answer(*PATCH, commit, "--", quickly=True)
            words = self._answer("patch-id", "--stable", given=change, quickly=True).split()
            self._patches[commit] = words[0].decode() if words else None
        return self._patches[commit]

    def _symbol(
        self, file: tuple[str, str], lines: Sequence[str], first: int, last: int
    ) -> str | None:
        """Return the innermost symbol of the file that contains the lines.

        ``file`` is the path and the blob: a page may cite one file a hundred times.
        """
        if self._outline is None:
            return None
        if file not in self._symbols:
            self._symbols[file] = self._outline.symbols(file[0], "\n".join(lines))
        around = [one for one in self._symbols[file] if one.first <= first and last <= one.last]
        return min(around, key=lambda one: one.last - one.first).name if around else None

    def _answer(self, *words: str, given: bytes = b"", quickly: bool = False) -> bytes:
        """Return git's stdout, or nothing if it fails."""
        try:
            status, answer, _ = ask_git_bytes(
                self._repository,
                *words,
                given=given,
                timeout=_QUICK if quickly else LONGEST_SECONDS,
            )
        except OutsideUnavailableError:
            self._is_slow = True
            return b""
        return answer if status == 0 else b""


def _newest(blamed: bytes) -> str | None:
    """Return the newest commit in a blame; None if the lines are uncommitted."""
    moments: dict[str, int] = {}
    older, name = set(), ""
    for line in blamed.splitlines():
        word, _, rest = line.partition(b" ")
        if len(word) in _LETTERS and not line.startswith(b"\t"):
            name = word.decode()
        elif word == b"committer-time":
            moments[name] = int(rest)
        elif word == b"previous":
            older.add(rest.split(b" ")[0].decode())
    # Of two commits of the same second, the descendant is newer.
    newest = max(moments, key=lambda one: (moments[one], one not in older), default="")
    return newest if newest.strip(_UNCOMMITTED) else None
