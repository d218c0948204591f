"""Random stories of one clone: whatever is checked out, git is never stopped by a file of ours.

A person works on branches, looks at old commits, stashes, reverts and merges, and calls the verbs
in between. What Holdfast writes must never be in the way of the next checkout, and nothing that was
edited by hand may be lost.
"""

from __future__ import annotations

import json
import random
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.cli.clones import Clone
from tests.cli.program import Program
from tests.cli.test_session_files import STATE
from tests.requirements import requirement

_MORE_STEPS = 4
_REFUSALS = ("would be overwritten", "already exists, no checkout")


@dataclass
class Person:
    """Somebody who works in one clone, at random."""

    clone: Clone
    chance: random.Random
    session: str = ""
    goals: list[str] = field(default_factory=list)
    branches: list[str] = field(default_factory=lambda: ["main"])
    number: int = 0

    def git(self, *words: str) -> str:
        """Run git, which may find a conflict, but must not refuse because of a file."""
        done = subprocess.run(
            ["git", "-c", "user.name=Ada", "-c", "user.email=ada@example.org", *words],  # noqa: S607 - git from the PATH
            cwd=self.clone.folder,
            env=self.clone.program.environment | {"GIT_CONFIG_GLOBAL": "/dev/null"},
            check=False,
            capture_output=True,
            text=True,
        )
        said = done.stdout + done.stderr
        assert not any(words in said for words in _REFUSALS), (words, said)
        return said

    def sync(self) -> None:
        done = self.clone.program("sync")
        assert done.code in {0, 4} or "has no pages" in done.err, (done.out, done.err)

    def next(self) -> int:
        self.number += 1
        return self.number

    def keep_tracked(self) -> None:
        """Commit what git tracks and, on a branch, new pages of memories."""
        if self.git("branch", "--show-current"):
            self.git("add", ".holdfast/memory")
        self.git("commit", "-qam", f"Work {self.next()}")

    def do_commit_all(self) -> None:
        (self.clone.folder / "code.py").write_text(f"n = {self.next()}\n", encoding="utf-8")
        self.git("add", "-A")
        self.git("commit", "-qm", f"All {self.number}")

    def do_old_commit(self) -> None:
        self.keep_tracked()
        commits = self.git("rev-list", "--all").split()
        self.git("checkout", "-q", "--detach", self.chance.choice(commits))

    def do_back(self) -> None:
        self.keep_tracked()
        self.git("checkout", "-q", self.chance.choice(self.branches))

    def do_branch(self) -> None:
        self.branches.append(f"b{self.next()}")
        self.git("checkout", "-qb", self.branches[-1])

    def do_stash(self) -> None:
        self.git("stash", "push", "-q", "--include-untracked")
        self.sync()
        self.git("checkout", "-q", "--", ".")
        self.git("stash", "pop", "-q")

    def do_merge(self) -> None:
        self.keep_tracked()
        self.git("merge", "-q", "--no-edit", self.chance.choice(self.branches))
        self.git("merge", "--abort")

    def do_revert(self) -> None:
        self.keep_tracked()
        self.git("revert", "--no-edit", "HEAD")
        self.git("revert", "--abort")

    def do_task(self) -> None:
        self.clone.program("task", "add", f"Task {self.next()}", "--everywhere").well()

    def do_note(self) -> None:
        self.clone.program("session", "note", f"Goal {self.next()}.", "--kind", "goal").well()
        self.goals.append(f"Goal {self.number}.")

    def do_turn(self) -> None:
        self.clone.program("session", "did", self.session, f"did {self.next()}").well()

    def do_remember(self) -> None:
        because = ("--because", "I decided")
        self.clone.program("remember", *because, f"The cart holds {self.next()} items.").well()

    def do_edit_by_hand(self) -> None:
        path = self.clone.folder / STATE
        if path.exists() and "<<<" not in (text := path.read_text(encoding="utf-8")):
            shape = json.loads(text)
            shape.setdefault("goals", []).append(f"By hand {self.next()}.")
            path.write_text(json.dumps(shape, indent=2) + "\n", encoding="utf-8")
            self.goals.append(f"By hand {self.number}.")
            self.sync()

    do_sync = do_sync_again = sync

    def known_goals(self) -> set[str]:
        shown = self.clone.program("hydrate", "--budget", "20000", "--json").well().json
        return {str(one["text"]) for one in shown["notes"]}


@pytest.fixture
def person(tmp_path: Path) -> Person:
    folder = tmp_path / "app"
    folder.mkdir()
    clone = Clone(Program(home=tmp_path / "home", folder=folder, extra={"USER": "ada"}))
    clone.git("init", "-q", "-b", "main")
    clone.commit("First")
    clone.program("init", "--files", "--no-model").well()
    ignored = folder / ".holdfast/.gitignore"
    text = ignored.read_text(encoding="utf-8")
    ignored.write_text(text.replace("\nsessions/\n", "\n"), encoding="utf-8")
    clone.commit("Keep pages")
    made = Person(clone, random.Random(0))  # noqa: S311 - a story, not a secret
    made.session = str(
        clone.program("session", "start", "--tool", "claude", "--json").well().json["session"]["id"]
    )
    for _ in range(2):
        made.do_task()
        made.do_note()
        made.do_turn()
        made.do_remember()
        made.sync()
        made.do_commit_all()
    return made


@requirement("files.never-in-gits-way")
@pytest.mark.parametrize("seed", range(3))
def test_no_file_of_ours_stops_git_and_no_goal_is_lost(person: Person, seed: int) -> None:
    person.chance = random.Random(seed)  # noqa: S311 - a story, not a secret
    told = []
    verbs = sorted(name for name in dir(person) if name.startswith("do_"))
    every = person.chance.sample(verbs, k=len(verbs))
    for verb in (*every, *person.chance.choices(verbs, k=_MORE_STEPS)):
        told.append(verb)
        try:
            getattr(person, told[-1])()
        except AssertionError as error:
            raise AssertionError(told) from error
    person.sync()
    person.keep_tracked()
    person.git("checkout", "-q", "main")
    person.sync()

    assert set(person.goals) <= person.known_goals(), told
