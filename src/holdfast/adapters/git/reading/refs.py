"""Reads the branches of a repository and their tips from its files.

Git is called only for a repository that stores its refs in tables (reftable).

Reads the reflog: hints where to look, never a proof.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, NamedTuple

from holdfast.adapters.git.reading.graph import is_full
from holdfast.adapters.git.reading.repository import ask_git
from holdfast.domain.errors import OutsideUnavailableError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path
    from typing import Protocol

    from holdfast.adapters.git.reading.repository import Repository

    class Refs(Protocol):
        """The refs of a repository and their targets."""

        def target(self, name: str) -> str | None:
            """Return the ref that a symbolic ref points to, or None."""
            ...

        def tip(self, name: str) -> str | None:
            """Return the commit of a full ref name, or None."""
            ...

        def branches(self) -> Iterator[str]:
            """Return the short names of the branches."""
            ...


HEADS = "refs/heads/"
_SYMBOLIC = "ref: "
_MOST_STEPS = 5
_LARGEST_REF = 4_096
_HASH = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")


def read_refs(repository: Repository) -> Refs:
    """Return the current refs.

    Raises:
        OutsideUnavailableError: Only git can read them, and it is not installed.
    """
    if (repository.common_dir / "reftable").exists():
        return AskedRefs(repository)
    return FiledRefs(repository)


class FiledRefs:
    """Refs in files: loose refs and packed refs."""

    def __init__(self, repository: Repository) -> None:
        self._own = repository.git_dir
        self._shared = repository.common_dir
        self._packed: bytes | None = None

    def target(self, name: str) -> str | None:
        """Return the ref that a symbolic ref points to, or None."""
        words = self._words(name)
        return words.removeprefix(_SYMBOLIC).strip() if words.startswith(_SYMBOLIC) else None

    def tip(self, name: str) -> str | None:
        """Return the commit of a full ref name, or None."""
        for _ in range(_MOST_STEPS):
            words = self._words(name)
            if not words.startswith(_SYMBOLIC):
                return words if _HASH.fullmatch(words) else None
            name = words.removeprefix(_SYMBOLIC).strip()
        return None

    def branches(self) -> Iterator[str]:
        """Return the short names of the branches, without duplicates."""
        seen = set()
        for name in (*_loose(self._shared / HEADS), *self._packed_branches()):
            if name not in seen and self.tip(f"{HEADS}{name}") is not None:
                seen.add(name)
                yield name

    def _words(self, name: str) -> str:
        folder = self._shared if name.startswith("refs/") else self._own
        return _read(folder / name) or self._in_pack(name)

    def _in_pack(self, name: str) -> str:
        start = self._pack().find(f" {name}\n".encode("utf-8", "surrogateescape"))
        line = self._pack()[:start].rpartition(b"\n")[2] if start > 0 else b""
        return line.decode("ascii", "replace")

    def _packed_branches(self) -> Iterator[str]:
        for line in self._pack().splitlines():
            name = line.partition(b" ")[2].decode("utf-8", "surrogateescape")
            if name.startswith(HEADS):
                yield name.removeprefix(HEADS)

    def _pack(self) -> bytes:
        if self._packed is None:
            try:
                self._packed = (self._shared / "packed-refs").read_bytes()
            except OSError:
                self._packed = b""
        return self._packed


class AskedRefs:
    """Refs that git itself reads, all in one call."""

    def __init__(self, repository: Repository) -> None:
        form = "--format=%(HEAD)%(refname) %(objectname) %(symref)"
        status, words, trouble = ask_git(
            repository, "for-each-ref", form, "refs/heads", "refs/remotes/origin"
        )
        if status != 0:
            raise OutsideUnavailableError(who="git", words=trouble)
        self._tips, self._targets = _listed(words)
        if "HEAD" not in self._targets:
            status, words, _ = ask_git(repository, "rev-parse", "--verify", "--quiet", "HEAD")
            if status == 0:
                self._tips["HEAD"] = words.strip()

    def target(self, name: str) -> str | None:
        """Return the ref that a symbolic ref points to, or None."""
        return self._targets.get(name)

    def tip(self, name: str) -> str | None:
        """Return the commit of a full ref name, or None."""
        return self._tips.get(self._targets.get(name, name))

    def branches(self) -> Iterator[str]:
        """Return the short names of the branches."""
        return (name.removeprefix(HEADS) for name in self._tips if name.startswith(HEADS))


def _listed(words: str) -> tuple[dict[str, str], Mapping[str, str]]:
    tips: dict[str, str] = {}
    targets: dict[str, str] = {}
    for line in words.splitlines():
        name, commit, target = line[1:].split(" ")
        tips[name] = commit
        if target:
            targets[name] = target
        if line.startswith("*"):
            targets["HEAD"] = name
    return tips, targets


def _loose(folder: Path) -> Iterator[str]:
    for path, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            yield os.path.relpath(f"{path}/{name}", folder)


def _read(path: Path) -> str:
    """Return the text of a small file; '' if the name is not valid for a file."""
    try:
        if not path.is_file():
            return ""
        with path.open("rb") as file:
            return file.read(_LARGEST_REF).decode("utf-8", "surrogateescape").strip()
    except (OSError, ValueError):
        return ""


_MOST_BYTES = 64 * 1024
_MOST_LEFT_BEHIND = 100
_STEP = re.compile(r"[~^].*")
_STAMP = re.compile(r"> (\d{1,12}) [+-]\d+$")
_AMENDED = "commit (amend)"
_REBASED = ("rebase", "pull")
_RESET = ("reset:", "branch: Reset to ")
_ENDS = ("(finish)", "(abort)")
_FORCED = ": forced-update"
_FETCHES = ("fetch", "pull", "remote")
_MERGES = ("merge ", "pull")
_MERGED = re.compile(r": Merge made by the '[\w-]+' strategy\.")
_MERGED_BY_HAND = "commit (merge)"
_CHECKED_OUT = "checkout: moving from "
_MADE_HERE = ("commit", "cherry-pick", "revert", "am:")


class Move(NamedTuple):
    """A move of a branch from one commit to another, with its reason and its second."""

    old: str
    new: str
    why: str
    at: int | None = None

    @property
    def action(self) -> str:
        """The part of the reason that git wrote: what follows may be a commit's subject."""
        return self.why.partition(": ")[0]

    @property
    def is_forced(self) -> bool:
        """Whether a fetch moved the branch to a commit that is not after the old one."""
        return self.why == f"{self.action}{_FORCED}" and self.action.startswith(_FETCHES)

    @property
    def is_merging(self) -> bool:
        """Whether a merge made a commit; a fast-forward leads to one that was made anywhere."""
        if self.action.startswith(_MERGES) and not self.action.endswith(")"):
            return _MERGED.fullmatch(self.why, len(self.action)) is not None
        return self.action == _MERGED_BY_HAND


def moves(repository: Repository, branch: str | None = None) -> list[Move]:
    """Return the last moves of a branch, or of HEAD, oldest first."""
    if branch is None:
        return _read_reflog(repository.git_dir / "logs" / "HEAD")
    return _read_reflog(repository.common_dir / "logs" / HEADS / branch)


def moves_of_heads(repository: Repository) -> list[Move]:
    """Return the last moves of HEAD in every working tree of the clone, each tree oldest first."""
    common = repository.common_dir
    logs = (common / "logs" / "HEAD", *sorted(common.glob("worktrees/*/logs/HEAD")))
    return [move for log in logs for move in _read_reflog(log)]


def logged_branches(repository: Repository) -> Iterator[str]:
    """Return the names of the branches that have a reflog."""
    return _loose(repository.common_dir / "logs" / HEADS)


def remote_moves(repository: Repository, branch: str) -> list[Move]:
    """Return the last moves of the remote-tracking branches of this name."""
    remotes = repository.common_dir / "logs" / "refs" / "remotes"
    try:
        names = sorted(one.name for one in remotes.iterdir())
    except OSError:
        return []
    return [move for name in names for move in _read_reflog(remotes / name / branch)]


def left_behind(repository: Repository) -> tuple[str, ...]:
    """Return the recently checked-out commits, newest first; some are no longer tips."""
    names = {name: None for move in reversed(moves(repository)) for name in (move.new, move.old)}
    return tuple(name for name in names if name.strip("0"))[:_MOST_LEFT_BEHIND]


def last_seen(repository: Repository, branch: str) -> str | None:
    """Return the tip of a branch when another one was last checked out."""
    for move in reversed(moves(repository)):
        if move.why.startswith(f"checkout: moving from {branch} to "):
            return move.old
    return None


def was_worked_on(repository: Repository, branch: str, tip: str) -> bool:
    """Return whether the reflog shows a commit on the branch, or a fast-forward merge of it.

    The reflog of a branch is removed with it. Then that of HEAD tells whether its last commit was
    made while it was checked out.
    """
    if any(move.why.startswith(_MADE_HERE) for move in moves(repository, branch)):
        return True
    merged, is_here = f"merge {branch}: Fast-forward", False
    for move in moves(repository):
        if move.why.startswith(_CHECKED_OUT):
            is_here = move.why.endswith(f" to {branch}")
        elif move.new == tip and (move.why == merged or _is_made(move, is_here=is_here)):
            return True
    return False


def _is_made(move: Move, *, is_here: bool) -> bool:
    return is_here and move.why.startswith(_MADE_HERE)


def rewritten_into(log: Sequence[Move], commit: str) -> tuple[str, ...]:
    """Return the commits with which an amend or a rebase replaced one, oldest first.

    The log is that of the commit's branch, or of HEAD. Commits on top of this one are followed too:
    a rebase of those rewrites all of them.
    """
    found: list[str] = []
    current, is_rebasing = commit, False
    for move in log:
        if move.new == commit:
            found, current, is_rebasing = [], commit, False
        elif is_rebasing:
            is_rebasing = not move.action.endswith(_ENDS)
            if move.action.endswith("(finish)"):
                found.append(current := move.new)
        elif move.old == current:
            is_rebasing = _is_rebase(move, "(start)")
            if move.why.startswith(_AMENDED) or _is_rebase(move, "(finish)"):
                found.append(move.new)
            current = _followed(move)
    return tuple(found)


def _is_rebase(move: Move, step: str) -> bool:
    return move.why.startswith(_REBASED) and move.action.endswith(step)


def _followed(move: Move) -> str:
    """Return the tip of the branch after a move: a checkout does not move it."""
    if move.why.startswith(_RESET):
        return ""
    return move.old if move.why.startswith("checkout:") or _is_rebase(move, "(start)") else move.new


def tip_of(name: str, refs: Refs) -> str | None:
    """Return the tip of the branch in a description such as ``feature~2``."""
    start = _STEP.sub("", name)
    return refs.tip(f"refs/{start}") or refs.tip(f"{HEADS}{start}")


def _read_reflog(path: Path) -> list[Move]:
    try:
        if not path.is_file():
            return []
        with path.open("rb") as file:
            file.seek(max(0, path.stat().st_size - _MOST_BYTES))
            words = file.read().decode("utf-8", "replace")
    except (OSError, ValueError):
        return []
    found = []
    for line in words.split("\n"):
        who, _, why = line.partition("\t")
        old, _, rest = who.partition(" ")
        new = rest.partition(" ")[0]
        if is_full(old) and is_full(new):
            stamp = _STAMP.search(rest)
            found.append(Move(old, new, why, None if stamp is None else int(stamp[1])))
    return found
