"""Memories that are forgotten after Holdfast wrote their text to every possible place.

Before each one is forgotten, some of these happen at random: pages are synced and committed, the
journal and the context pack are written, a person edits the entry or copies it, a second clone
syncs it. Afterwards every file below the working trees and the store that still holds the text must
have been reported, everything else must be clean, the commits that hold it must be reported, and no
sync may bring the memory back.
"""

from __future__ import annotations

import random
import subprocess
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from holdfast.adapters.files.pages import MEMORY
from holdfast.adapters.files.traces import FileTraces
from holdfast.app import Holdfast
from holdfast.bootstrap.opening.wiring import open_holdfast
from holdfast.bootstrap.pages.filing import filing, make_again, set_up_pages
from holdfast.domain.choices import Kind, Origin
from holdfast.domain.memory.selection import Page, Selection
from holdfast.domain.review.traces import Reach
from holdfast.usecases.anchors.gather import Grounds
from holdfast.usecases.memory.forget import Forget, Forgotten
from holdfast.usecases.memory.remember import Remember
from holdfast.usecases.pages.sync import Sync
from torture.crew import in_child
from torture.plants import Plant, planted
from torture.principal import A_PERSON
from torture.report import MOST_NOTES, Report, Tally
from torture.task import Task

FORGOTTEN = 200
SHORT_FORGOTTEN = 8
KINDS = (Kind.DECISION, Kind.GOTCHA, Kind.FACT)
MOST_READ = 10_000
_AUTHOR = ("-c", "user.name=a person", "-c", "user.email=person@example.org")
_MADE = ("sync", "commit", "journal", "context", "clone", "other", "copy", "edit")
"""In this order: an edit that was synced would be a memory of its own."""


@dataclass(slots=True)
class Site:
    """Two clones of one repository, a store, and the steps before a memory is forgotten."""

    folder: Path
    chance: random.Random
    number: int = 0

    @property
    def root(self) -> Path:
        """The clone in which memories are forgotten."""
        return self.folder / "app"

    @property
    def home(self) -> Path:
        """The folder of the store."""
        return self.folder / "home"

    def begin(self) -> None:
        """Create the repository and its second clone."""
        self.root.mkdir(parents=True)
        self.git(self.root, "init", "--quiet", "--initial-branch", "main")
        set_up_pages(self.root)
        self.commit()
        self.git(self.folder, "clone", "--quiet", str(self.root), str(self.folder / "second"))
        set_up_pages(self.folder / "second")

    def once(self) -> Tally:
        """Remember, write, forget and check, once."""
        self.number += 1
        word = f"canary{self.number}word"
        done = [one for one in _MADE if self.chance.random() < 0.5]
        agent = self.chance.random() < 0.3
        with self.memory() as memory:
            wish = Remember(
                claim=f"The {word} is rotated every week.",
                kind=self.chance.choice(KINDS),
                origin=Origin.AGENT if agent else Origin.HUMAN,
                grounds=Grounds(because=f"someone told {self.number}"),
            )
            name = memory.memories.remember(wish).record.memory.id
            for one in done:
                self._do(one, word, memory)
            gone = memory.memories.forget(Forget(reference=name))
            make_again(memory, [gone], folder=self.root, by="a person")
        return self._judged(word, gone).because(f"{self.number} after {', '.join(done)}")

    def _do(self, one: str, word: str, memory: Holdfast) -> None:
        runs = memory.runs
        match one:
            case "journal":
                runs.write_journal(datetime.now(tz=UTC).date())
            case "context":
                runs.write_context(runs.context("what is rotated every week"))
            case "commit":
                self.commit()
            case "clone":
                second = self.folder / "second"
                self.git(second, "pull", "--quiet", "--no-rebase", "--no-edit", check=False)
                self.sync(second)
            case "edit" | "copy":
                self._write(word, is_copy=one == "copy")
            case _:
                self.sync(self.root)

    def _write(self, word: str, *, is_copy: bool) -> None:
        """Change the entry in its page as a person would, or copy its text elsewhere."""
        for page in (self.root / MEMORY).glob("*.md"):
            text = page.read_text(encoding="utf-8")
            claim = f"The {word} is rotated every week."
            if claim in text and is_copy:
                (self.root / "CLAUDE.md").write_text(f"{claim}\n", encoding="utf-8")
            elif claim in text and page.stem != "candidates":
                page.write_text(text.replace(claim, f"{claim} So I say."), encoding="utf-8")

    def _judged(self, word: str, gone: Forgotten) -> Tally:
        named = [trace.place for trace in gone.traces if trace.reach is not Reach.REMOVED]
        notes = [
            f"{path} holds the text and is not named"
            for path in self._holding(word)
            if not any(str(path).endswith(place.rpartition(":")[0] or place) for place in named)
        ]
        in_commits = bool(self.git(self.root, "log", "--all", "-S", word, "--format=%h"))
        is_said = any(trace.reach is Reach.HISTORY for trace in gone.traces)
        if in_commits and not is_said:
            notes.append("a commit holds the text and is not named")
        self.sync(self.root)
        with self.memory() as memory, memory.store.reading() as tx:
            claims = [one.memory.claim for one in tx.memories.find(Selection(), _ALL)]
        notes += [f"{claim} came back" for claim in claims if word in claim]
        return Tally(acks=1, faults=1, bad=len(notes), notes=tuple(notes[:MOST_NOTES]))

    def _holding(self, word: str) -> list[Path]:
        found = []
        for top in (self.root, self.folder / "second", self.home):
            for path in sorted(top.rglob("*")):
                is_object = ".git" in path.parts and "holdfast" not in path.parts
                if path.is_file() and not is_object and word.encode() in path.read_bytes():
                    found.append(path)
        return found

    def sync(self, root: Path) -> None:
        """Sync the pages of a clone."""
        with closing(open_holdfast(principal=A_PERSON, home=self.home, folder=root)) as memory:
            filing(memory, root, self.home).sync(Sync(voice=Origin.HUMAN, by="a person"))

    def commit(self) -> None:
        """Commit everything."""
        self.git(self.root, "add", "--all")
        self.git(self.root, "commit", "--quiet", "--allow-empty", "--message", "Go on")

    def memory(self) -> closing[Holdfast]:
        """Open the store from the first clone."""
        return closing(open_holdfast(principal=A_PERSON, home=self.home, folder=self.root))

    def git(self, root: Path, *words: str, check: bool = True) -> str:
        """Run git and return its output."""
        command = ["git", *_AUTHOR, "-C", str(root), *words]
        return subprocess.run(command, check=check, capture_output=True, text=True).stdout


_ALL = Page(limit=MOST_READ)


def run(task: Task) -> Report:
    """Forget so many memories, and check what is left of each."""
    many = task.number(short=SHORT_FORGOTTEN, full=FORGOTTEN)
    tally = in_child(lambda: _forgotten(task, many))
    return Report(tool="forgotten", done=f"{many} memories written out and forgotten", tally=tally)


def _forgotten(task: Task, many: int) -> Tally:
    if planted(Plant.GENERATED_STAYS):
        setattr(FileTraces, "_files", lambda _: [])  # noqa: B010 - a method put in another's place
    tally, chance = Tally(), random.Random(task.seed)
    for number in range(many):
        site = Site(folder=task.folder("forgotten"), chance=chance, number=number)
        site.begin()
        tally += site.once()
    return tally
