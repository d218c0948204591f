"""Clones of one repository, each with a person and a memory of their own."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tests.cli.program import Finished, Program

MEMORY = Path(".holdfast/memory")


@dataclass(frozen=True)
class Clone:
    """A working tree, and the program as its person runs it."""

    program: Program

    @property
    def folder(self) -> Path:
        """The working tree."""
        return self.program.folder

    def git(self, *words: str, check: bool = True) -> str:
        """Run git as this person."""
        who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
        options = ("-c", "commit.gpgsign=false", "-c", "core.fsync=none", "-c", "gc.auto=0")
        apart = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null"}
        done = subprocess.run(
            ["git", *who, *options, *words],  # noqa: S607 - git from the PATH
            cwd=self.folder,
            env=self.program.environment | apart,
            check=False,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0 or not check, (words, done.stdout, done.stderr)
        return done.stdout.rstrip("\n")

    def commit(self, message: str = "Change something") -> None:
        """Commit everything that is there."""
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)

    def sync(self, *words: str, code: int | None = None) -> list[tuple[str, str]]:
        """Sync, and return what happened to which entry."""
        done = self.program("sync", "--json", *words)
        steps = {one["step"] for one in done.json["outcomes"]}
        usual = 4 if steps & {"proposed", "waiting"} and "--check" not in words else 0
        assert done.code == (usual if code is None else code), (done.out, done.err)
        return [(str(one["label"]), str(one["step"])) for one in done.json["outcomes"]]

    def decide(self, claim: str, *words: str) -> str:
        """Remember a decision and write it into the pages; return its id."""
        name = self.program(
            "remember", "--kind", "decision", "--because", "I decided", *words, claim
        )
        self.program("sync").well()
        return name.well().id

    def page(self, name: str = "decisions.md") -> Path:
        """A page."""
        return self.folder / MEMORY / name

    def edit(self, old: str, new: str, page: str = "decisions.md") -> None:
        """Change some words of a page, as with an editor."""
        path = self.page(page)
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new), encoding="utf-8")

    def recalled(self, question: str) -> list[str]:
        """Return the claims that a question is given."""
        found: dict[str, Any] = self.program("recall", "--q", question, "--json").well().json
        return [self.claim(str(item["memory_id"])) for item in found["items"]]

    def claim(self, name: str) -> str:
        """Return what a memory says."""
        shown: dict[str, Any] = self.program("show", name, "--json").well().json
        return str(shown["data"]["claim"])

    def clone(self, folder: Path) -> Clone:
        """Clone this repository for another person with a memory of their own."""
        self.git("clone", "-q", str(self.folder), str(folder))
        home = folder.with_name(f"{folder.name}-home")
        return Clone(Program(home=home, folder=folder, extra={"USER": "grace"}))

    def worktree(self, folder: Path, *words: str) -> Clone:
        """Add a working tree of this clone, with the same memory."""
        self.git("worktree", "add", "-q", str(folder), *words)
        return Clone(replace(self.program, folder=folder))

    def exported(self) -> Finished:
        """Everything the memory holds."""
        return self.program("export").well()


def without_entry(text: str, label: str) -> str:
    """Return a page without one entry."""
    parts = text.split("\n---\nid: ")
    kept = [part for part in parts if not part.startswith(f"{label}\n")]
    return "\n---\nid: ".join(kept) + ("" if kept[-1].endswith("\n") else "\n")
