"""Branch points in a repository's history, and what became of commits since."""

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
class BranchPoint:
    """A branch point: the branch and the commit that were checked out.

    ``is_aside`` means another branch than the main one: knowledge from there is valid only there
    until the branch is merged elsewhere. ``is_shared`` means that the branch had no commit of its
    own yet.
    """

    branch: str | None
    head: str
    is_aside: bool = False
    is_shared: bool = False


class RewriteHow(StrEnum):
    """How a rewrite of a commit was detected, the most certain first."""

    HOOK = "hook"
    PATCH = "patch"
    TREE = "tree"
    SQUASH = "squash"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewrite:
    """One commit that replaced another."""

    repo: str
    old: str
    new: str
    how: RewriteHow
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrivals:
    """The branch points whose work is part of a commit, and the rewrites that show it.

    ``successors`` maps a commit that is not itself part of it to its replacement, if that was just
    detected and is not stored yet.
    """

    points: frozenset[BranchPoint] = frozenset()
    successors: Mapping[str, tuple[str, RewriteHow]] = field(default_factory=dict)


class CommitPosition(StrEnum):
    """The state of a commit, relative to the checkout."""

    REACHABLE = "reachable"
    ELSEWHERE = "elsewhere"
    REWRITTEN = "rewritten"
    LOST = "lost"
    UNVERIFIABLE = "unverifiable"


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitName:
    """A commit that evidence names, and its patch-id, if it was recorded."""

    id: str
    patch: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitFate:
    """What became of a commit: its state, its replacement, and how that was detected."""

    whereabouts: CommitPosition
    now: str | None = None
    how: RewriteHow | None = None
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """A commit that a name was resolved to."""

    id: str
    at: datetime


def commit_words(name: str, whole: str | None) -> str:
    """Return a commit's name as people gave it, with the short id beside a symbolic name."""
    if whole is None or whole.startswith(name.lower()):
        return name
    return f"{name} ({whole[:_SHORT]})"


def is_id(name: str) -> bool:
    """Tell whether a name is a commit id or a prefix of one, and not a name that can move."""
    return _START.fullmatch(name) is not None


def is_whole(commit: str) -> bool:
    """Tell whether this is a full commit id, and not a prefix or the name of a branch."""
    return _WHOLE.fullmatch(commit) is not None
