"""A repository whose history tests write and rewrite."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Collection, Mapping
from itertools import count
from pathlib import Path

from holdfast.adapters.git.lineage import arrival
from holdfast.adapters.git.reading.repository import Repository, find_repository
from holdfast.domain.memory.anchor import BranchPoint, Rewrite

_EPOCH = 1_760_000_000


class Scene:
    """A real repository, worked on by nobody in particular, one minute for each command."""

    def __init__(self, folder: Path, *options: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self._minutes = count(1)
        self.git("init", "-q", "-b", "main", *options)

    @classmethod
    def of(cls, folder: Path) -> Scene:
        """Return one that is there already: a clone, a worktree."""
        scene = cls.__new__(cls)
        scene.folder, scene._minutes = folder, count(1_000)
        return scene

    @property
    def repository(self) -> Repository:
        """The repository as adapters want it."""
        found = find_repository(self.folder)
        assert found is not None
        return found

    def git(self, *words: str, check: bool = True, editor: str = "true") -> str:
        """Run git without the settings of whoever runs the tests."""
        at = f"{_EPOCH + 60 * next(self._minutes)} +0000"
        clean = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        apart = {
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": "/dev/null",
            "GIT_AUTHOR_DATE": at,
            "GIT_COMMITTER_DATE": at,
            "GIT_EDITOR": "true",
            "FILTER_BRANCH_SQUELCH_WARNING": "1",
            "GIT_SEQUENCE_EDITOR": editor,
        }
        who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.test"]
        options = ["-c", "protocol.file.allow=always", "-c", "core.fsync=none", "-c", "gc.auto=0"]
        done = subprocess.run(  # noqa: S603
            ["git", *who, *options, *words],  # noqa: S607
            cwd=self.folder,
            env=clean | apart,
            check=check,
            capture_output=True,
            text=True,
        )
        return done.stdout.strip()

    def commit(self, message: str, **files: str | None) -> str:
        """Write or remove files, commit everything, and return the commit."""
        for name, text in files.items():
            path = self.folder / name.replace("__", "/").replace("_py", ".py")
            if text is None:
                path.unlink()
            else:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)
        return self.head()

    def wait(self, *, minutes: int) -> None:
        """Let time go by."""
        self._minutes = count(next(self._minutes) + minutes)

    def head(self, name: str = "HEAD") -> str:
        """Return the commit that a name means."""
        return self.git("rev-parse", name)

    def point(self, branch: str | None = None, *, shared: bool = False) -> BranchPoint:
        """Return a point aside, at what is checked out."""
        name = branch or self.git("rev-parse", "--abbrev-ref", "HEAD")
        return BranchPoint(branch=name, head=self.head(), is_aside=True, is_shared=shared)


def lines(*numbers: int) -> str:
    """Return a text of some numbered lines."""
    return "".join(f"line {number}\n" for number in numbers)


FIRST = lines(*range(1, 21))


def two_commits(folder: Path) -> Scene:
    """Return a repository with two commits on main."""
    made = Scene(folder)
    made.commit("First", app_py=FIRST)
    made.commit("Second", other_py="other\n")
    return made


def arrived(
    repository: Repository,
    points: Collection[BranchPoint],
    known: Mapping[str, Rewrite],
    at: str | None = None,
) -> frozenset[BranchPoint]:
    """Return the points whose work is part of a commit."""
    return arrival.arrived(repository, points, known, at).points
