"""A history that sessions work on, and what is true about their turns in its checkout."""

from __future__ import annotations

import os
import random
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

_EPOCH = 1_760_000_000
_WHO = ("-c", "user.name=Ada", "-c", "user.email=ada@example.test", "-c", "gc.auto=0")
_PLAIN = ("-c", "core.fsync=none", "-c", "commit.gpgsign=false", "-c", "advice.detachedHead=false")


@dataclass(slots=True)
class Written:
    """A turn that was acknowledged: its words, its file, and the branch that it was written on."""

    mark: str
    file: str
    branch: str
    life: int
    session: str
    head: str
    commits: bool = True
    is_tied: bool = False
    """Whether somebody chose that it counts on this branch, wherever its work is."""


@dataclass(slots=True)
class History:
    """A repository that is worked on, with sessions, and what is true about them."""

    folder: Path
    home: Path
    chance: random.Random
    turns: list[Written] = field(default_factory=list)
    branches: dict[str, int] = field(default_factory=dict)
    """The branches that exist, each with the number of its life: a name may be used again."""
    sessions: list[str] = field(default_factory=list)
    counter: int = 0
    minute: int = 0
    is_expired: bool = False
    """Without reflogs nothing tells two branches of one name apart."""

    def git(self, *words: str) -> str:
        """Run git; an operation that cannot be done here changes nothing, and is not a fault."""
        self.minute += 1
        at = f"{_EPOCH + 60 * self.minute} +0000"
        apart = {
            **{name: one for name, one in os.environ.items() if not name.startswith("GIT_")},
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_AUTHOR_DATE": at,
            "GIT_COMMITTER_DATE": at,
            "GIT_EDITOR": "true",
        }
        done = subprocess.run(
            ["git", *_WHO, *_PLAIN, *words],
            cwd=self.folder,
            env=apart,
            check=False,
            capture_output=True,
            text=True,
        )
        return done.stdout.strip() if done.returncode == 0 else ""

    def number(self) -> int:
        """Return a number that was not used before."""
        self.counter += 1
        return self.counter

    @property
    def branch(self) -> str:
        """The branch that is checked out; '' if there is none."""
        return self.git("symbolic-ref", "--quiet", "--short", "HEAD")

    def other(self) -> str:
        """Return some other branch."""
        names = [name for name in self.branches if name != self.branch]
        return self.chance.choice(names) if names else self.branch

    def settle(self) -> None:
        """End what an operation left unfinished, and drop what it did not commit."""
        for word in ("merge", "rebase", "cherry-pick", "revert"):
            self.git(word, "--abort")
        self.git("reset", "-q", "--hard")


def ever(history: History, name: str = "HEAD") -> set[str]:
    """Return every file that the history of a commit ever had."""
    return set(history.git("log", "-m", "--name-only", "--format=", name).splitlines())


def works(history: History, name: str) -> set[str]:
    """Return every work that the history of a commit ever had."""
    return {one for one in ever(history, name) if one.startswith("work-")}


def _files_of(history: History, name: str) -> set[str]:
    """Return the works in the files of a commit."""
    names = history.git("ls-tree", "--name-only", name).splitlines()
    return {one for one in names if one.startswith("work-")}


def is_here(turn: Written, branch: str, here: set[str], history: History) -> bool:
    """Tell whether the work of a turn, its commit or all of its branch is part of the checkout."""
    is_same = history.is_expired or turn.life == history.branches.get(branch, 0)
    if turn.file in here or (branch and turn.branch == branch and is_same):
        return True
    if turn.is_tied and (kept := _files_of(history, turn.head)) and kept <= here:
        return True  # somebody tied it to a commit, and everything in that commit arrived
    is_alive = history.is_expired or history.branches.get(turn.branch) == turn.life
    names = [turn.head, *([f"refs/heads/{turn.branch}"] if turn.branch and is_alive else [])]
    if names[1:] and (done := works(history, names[1])) and done <= here:
        return True  # all of its branch was squashed or picked
    if any(is_part(name, history) for name in names):
        return True
    return is_undone(turn, here, history)


def is_undone(turn: Written, here: set[str], history: History) -> bool:
    """Tell whether the work of a turn was undone on its own line, and the rest of that is here.

    A squash of a commit, its revert and other work contains all of them, and only the file of the
    other work. A line without other work arrives nowhere.
    """
    heads = [one.head for one in history.turns if history.git("cat-file", "-t", one.head)]
    if turn.head not in heads:
        return False
    before = _files_of(history, f"{turn.head}~1")
    line = ("rev-list", "--ancestry-path", "--all", "--reflog", *heads, f"^{turn.head}")
    for tip in history.git(*line).split():
        kept = _files_of(history, tip)
        if turn.file not in kept and kept - before and kept <= here:
            return True
    return False


def is_part(name: str, history: History) -> bool:
    """Tell whether a commit is part of the checkout."""
    if not history.git("cat-file", "-t", name):
        return False
    return not history.git("rev-list", "--max-count=1", name, "--not", "HEAD")
