"""A small repository with a store beside it, for tools that attack repository input."""

from __future__ import annotations

import os
import random
import subprocess
from collections.abc import Collection, Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from holdfast.app import Holdfast
from holdfast.bootstrap.opening.wiring import open_holdfast
from holdfast.domain.choices import Origin
from holdfast.domain.ids import SpanId
from holdfast.domain.memory.anchor import (
    Arrivals,
    BranchPoint,
    CommitFate,
    CommitName,
    LossHow,
    Revision,
    Rewrite,
    Sighting,
)
from holdfast.domain.memory.evidence import Span
from holdfast.ports.anchors.verifier import Verifier
from holdfast.ports.workspaces.contents import Contents
from holdfast.usecases.anchors.gather import Grounds
from holdfast.usecases.memory.remember import Remember, Remembered
from torture.principal import A_PERSON

_AUTHOR = ("-c", "user.name=a person", "-c", "user.email=person@example.org")
_APART = {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"}


def git(folder: Path, *words: str) -> str:
    """Run git as a person would, with the configuration of the repository."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    done = subprocess.run(
        ["git", *_AUTHOR, *words],
        cwd=folder,
        env=clean | _APART,
        check=False,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
    )
    return done.stdout


def functions(chance: random.Random, many: int) -> str:
    """Return a module of functions whose lines are all different."""
    return "".join(
        f"def step_{number}(store):\n"
        f"    ledger = store.find({chance.getrandbits(40)})\n"
        f"    return ledger.rotate({chance.getrandbits(40)})\n\n\n"
        for number in range(many)
    )


def make(folder: Path, files: dict[str, str]) -> Path:
    """Create a repository of these files with one commit, and return its root."""
    root = folder / "app"
    root.mkdir(parents=True)
    git(root, "init", "-q", "-b", "main")
    for name, text in files.items():
        (root / name).write_text(text, encoding="utf-8")
    git(root, "add", "--all")
    git(root, "commit", "-q", "-m", "Begin")
    return root


@contextmanager
def opened(root: Path) -> Generator[Holdfast, None, None]:
    """Open the store beside a repository, from its root."""
    app = open_holdfast(principal=A_PERSON, home=root.parent / "home", folder=root)
    try:
        yield app
    finally:
        app.close()


def keep(app: Holdfast, claim: str, *places: str, origin: Origin = Origin.HUMAN) -> Remembered:
    """Remember a claim with some lines or a person's statement as evidence."""
    because = None if places else "I decided"
    grounds = Grounds(places=places, because=because)
    return app.memories.remember(
        Remember(claim=claim, grounds=grounds, origin=origin, source="torture")
    )


class Delegating:
    """A verifier that delegates to another one; a planted bug changes one of its answers."""

    def __init__(self, inner: Verifier) -> None:
        self.inner = inner

    def examine(
        self, spans: Sequence[Span], *, at: str | None = None, is_noted: bool = True
    ) -> Mapping[SpanId, Sighting]:
        """Return the verdict on each span."""
        return self.inner.examine(spans, at=at, is_noted=is_noted)

    def identify(self, commits: Collection[str]) -> Mapping[str, CommitName]:
        """Return the full name of each commit."""
        return self.inner.identify(commits)

    def fates(
        self, commits: Collection[CommitName], known: Mapping[str, Rewrite]
    ) -> Mapping[str, CommitFate]:
        """Return the fate of each commit."""
        return self.inner.fates(commits, known)

    def arrived(
        self,
        points: Collection[BranchPoint],
        known: Mapping[str, Rewrite],
        *,
        at: str | None = None,
        home: str | None = None,
    ) -> Arrivals:
        """Return the points whose work is part of a commit."""
        return self.inner.arrived(points, known, at=at, home=home)

    def losses(
        self,
        points: Collection[BranchPoint],
        known: Mapping[str, Rewrite],
        *,
        at: str | None = None,
    ) -> Mapping[str, LossHow]:
        """Return the commits that were lost."""
        return self.inner.losses(points, known, at=at)

    def contents(self) -> Contents | None:
        """Return the content of snapshots."""
        return self.inner.contents()

    def resolve(self, revision: str) -> Revision:
        """Return the commit that a revision name means."""
        return self.inner.resolve(revision)
