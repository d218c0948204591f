"""Reads the reflog: hints where to look, never a proof."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from holdfast.adapters.git.reading.graph import is_full
from holdfast.adapters.git.reading.refs import HEADS

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from holdfast.adapters.git.reading.refs import Refs
    from holdfast.adapters.git.reading.repository import Repository

_MOST_BYTES = 64 * 1024
_MOST_LEFT_BEHIND = 100
_STEP = re.compile(r"[~^].*")
_AMENDED = "commit (amend)"
_REBASED = ("rebase", "pull")
_RESET = ("reset:", "branch: Reset to ")
_ENDS = ("(finish)", "(abort)")
_MADE_HERE = ("commit", "cherry-pick", "revert", "am:")


class Move(NamedTuple):
    """A move of a branch from one commit to another, with its reason."""

    old: str
    new: str
    why: str


def moves(repository: Repository, branch: str | None = None) -> list[Move]:
    """Return the last moves of a branch, or of HEAD, oldest first."""
    if branch is None:
        return _read(repository.git_dir / "logs" / "HEAD")
    return _read(repository.common_dir / "logs" / HEADS / branch)


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
    """Return whether the reflog shows a commit on the branch, or a fast-forward merge of it."""
    if any(move.why.startswith(_MADE_HERE) for move in moves(repository, branch)):
        return True
    merged = f"merge {branch}: Fast-forward"
    return any(move.why == merged and move.new == tip for move in moves(repository))


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
            is_rebasing = not move.why.split(":")[0].endswith(_ENDS)
            if "(finish)" in move.why:
                found.append(current := move.new)
        elif move.old == current:
            is_rebasing = _is_rebase(move, "(start)")
            if move.why.startswith(_AMENDED) or _is_rebase(move, "(finish)"):
                found.append(move.new)
            current = _followed(move)
    return tuple(found)


def _is_rebase(move: Move, step: str) -> bool:
    return move.why.startswith(_REBASED) and step in move.why.split(":")[0]


def _followed(move: Move) -> str:
    """Return the tip of the branch after a move: a checkout does not move it."""
    if move.why.startswith(_RESET):
        return ""
    return move.old if move.why.startswith("checkout:") or _is_rebase(move, "(start)") else move.new


def tip_of(name: str, refs: Refs) -> str | None:
    """Return the tip of the branch in a description such as ``feature~2``."""
    start = _STEP.sub("", name)
    return refs.tip(f"refs/{start}") or refs.tip(f"{HEADS}{start}")


def _read(path: Path) -> list[Move]:
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
            found.append(Move(old, new, why))
    return found
