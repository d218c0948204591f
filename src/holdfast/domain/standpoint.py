"""Where somebody stood in a repository's history, and what became of that commit since."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import TYPE_CHECKING

from holdfast.domain.values import dataclass, field

if TYPE_CHECKING:
    from datetime import datetime

_SHORT = 7
_START = re.compile(r"[0-9a-f]{4,64}")
_WHOLE = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Standpoint:
    """The branch and the commit that were checked out.

    Aside means on another branch than the main one: what is learned there holds there, until
    the branch arrives elsewhere. Shared means that the branch had no commit of its own yet.
    """

    branch: str | None
    head: str
    is_aside: bool = False
    is_shared: bool = False


class RewriteHow(StrEnum):
    """How it is known that one commit took another's place, the surest first."""

    HOOK = "hook"
    PATCH = "patch"
    TREE = "tree"
    SQUASH = "squash"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewrite:
    """One commit took another's place."""

    repo: str
    old: str
    new: str
    how: RewriteHow
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrivals:
    """The standpoints whose work is part of a commit, and the rewrites that brought it there.

    ``successors`` maps a commit that is not itself part of it to the one that took its place,
    where that was found out just now and is not noted yet.
    """

    points: frozenset[Standpoint] = frozenset()
    successors: Mapping[str, tuple[str, RewriteHow]] = field(default_factory=dict)


class Whereabouts(StrEnum):
    """What became of a commit, seen from where we stand."""

    REACHABLE = "reachable"
    ELSEWHERE = "elsewhere"
    REWRITTEN = "rewritten"
    LOST = "lost"
    UNVERIFIABLE = "unverifiable"


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitName:
    """A commit that evidence names, and the patch-id it had, where that was noted."""

    id: str
    patch: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Fate:
    """What became of a commit: where it is, which one took its place, and how that is known."""

    whereabouts: Whereabouts
    now: str | None = None
    how: RewriteHow | None = None
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """A commit that somebody named, by whatever name."""

    id: str
    at: datetime


def commit_words(name: str, whole: str | None) -> str:
    """Return a commit as people named it, with its short id beside a name that holds none of it."""
    if whole is None or whole.startswith(name.lower()):
        return name
    return f"{name} ({whole[:_SHORT]})"


def is_id(name: str) -> bool:
    """Tell whether a name is a commit's id or the start of one, and no name that can move."""
    return _START.fullmatch(name) is not None


def is_whole(commit: str) -> bool:
    """Tell whether this is a commit's whole name, not a part of it and not that of a branch."""
    return _WHOLE.fullmatch(commit) is not None
