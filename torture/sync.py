"""Kills syncs while pages and store both have changes: nothing may be missing afterwards.

Before every kill a person edits an entry and writes a new one by hand, and another decision is
remembered. The sync that should merge them is killed at a random moment. Then every page must be
complete, the store undamaged, and the next sync must merge all of it: what the page said is
remembered once, what was remembered is in a page, and nothing is duplicated.
"""

from __future__ import annotations

import random
import subprocess
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from holdfast.adapters.files.pages import MEMORY
from holdfast.app import Holdfast
from holdfast.bootstrap.opening.wiring import open_holdfast
from holdfast.bootstrap.pages.filing import filing, set_up_pages
from holdfast.domain.choices import Kind, Origin, Status
from holdfast.domain.errors import HoldfastError
from holdfast.domain.memory.selection import Page, Selection
from holdfast.domain.pages.syncing import Synced
from holdfast.usecases.anchors.gather import Grounds
from holdfast.usecases.memory.remember import Remember
from holdfast.usecases.pages.sync import Sync
from torture.crew import Crew, in_child
from torture.judge import is_bad
from torture.principal import A_PERSON
from torture.report import MOST_NOTES, Report, Tally, faulty
from torture.task import Task

KILLS = 30
SHORT_KILLS = 6
COMMITTED_EVERY = 4
MOST_READ = 10_000
_AUTHOR = ("-c", "user.name=a person", "-c", "user.email=person@example.org")
_DECISIONS = f"{MEMORY}/decisions.md"
_ENTRY = "---\ntype: decision\n---\n{}\n"


@dataclass(slots=True)
class Site:
    """A repository with pages, a store, and the texts that were written to either."""

    root: Path
    home: Path
    seed: int
    number: int = 0
    edited: str = ""
    words: list[str] = field(default_factory=list)

    def sync(self, *, dry_run: bool = False) -> Synced:
        """Sync both, as the program does."""
        memory = self.open()
        try:
            pages = filing(memory, self.root, self.home)
            return pages.sync(Sync(voice=Origin.HUMAN, by="a person", dry_run=dry_run))
        finally:
            memory.close()

    def open(self) -> Holdfast:
        """Open the store from the repository."""
        return open_holdfast(principal=A_PERSON, home=self.home, folder=self.root)

    def change(self) -> None:
        """Make three changes: in the store, in an old entry, and as a new entry."""
        self.number += 1
        told, edit, new = (f"{word}{self.seed}x{self.number}" for word in ("told", "edit", "new"))
        memory = self.open()
        try:
            claim = f"Remembered is {told}."
            wish = Remember(
                origin=Origin.HUMAN,
                claim=claim,
                kind=Kind.DECISION,
                grounds=Grounds(because="I say so"),
            )
            memory.memories.remember(wish)
        finally:
            memory.close()
        page = self.root / _DECISIONS
        text = page.read_text(encoding="utf-8") if page.exists() else "# Decisions\n\n"
        if self.edited:
            text = text.replace(self.edited, edit)
            self.words.remove(self.edited)
            self.words.append(edit)
        page.write_text(text + _ENTRY.format(f"Written is {new}."), encoding="utf-8")
        self.edited = edit if self.edited else new
        self.words += [told, new]
        if self.number % COMMITTED_EVERY == 0:
            _git(self.root, "add", "--all")
            _git(self.root, "commit", "--quiet", "--message", "Go on")


def run(task: Task) -> Report:
    """Kill syncs until there were enough kills, and check what each one left."""
    kills = task.number(short=SHORT_KILLS, full=KILLS)
    site = _site(task)
    chance = random.Random(task.seed)
    crew, tally, longest = Crew(), Tally(), _longest(site)
    while crew.kills < kills and tally.wrong <= kills:
        site.change()
        crew.start("sync", lambda: _sync_quietly(site))
        time.sleep(chance.uniform(0.0, longest))
        crew.kill_all()
        tally += in_child(lambda: _judged(site)).because(f"kill {crew.kills}")
    tally += Tally(acks=len(site.words), faults=crew.kills)
    done = f"{site.number} syncs of pages and store, killed at random moments"
    return Report(tool="sync", done=done, tally=tally)


def _site(task: Task) -> Site:
    root, home = task.folder("sync") / "app", task.folder("home")
    root.mkdir()
    _git(root, "init", "--quiet", "--initial-branch", "main")
    (root / "app.py").write_text("pass\n", encoding="utf-8")
    _git(root, "add", "--all")
    _git(root, "commit", "--quiet", "--message", "Begin")
    set_up_pages(root)
    return Site(root=root, home=home, seed=task.seed)


def _longest(site: Site) -> float:
    """Return the duration of a complete sync, so that kills occur at any point of one."""
    site.change()
    began = time.monotonic()
    in_child(lambda: bool(site.sync()))
    return time.monotonic() - began


def _sync_quietly(site: Site) -> None:
    while True:
        site.sync()


def _judged(site: Site) -> Tally:
    """Check what a kill left, finish the sync, and check again."""
    tally = _whole(site)
    try:
        site.sync()
        again = site.sync(dry_run=True)
    except HoldfastError as error:
        return tally + faulty(f"the next sync is refused: {error}")
    left = [f"{one.step}: {one.claim} {one.words}" for one in again.told]
    memory = site.open()
    try:
        with memory.store.reading() as tx:
            wanted = Selection(statuses=frozenset({Status.ACCEPTED}))
            claims = Counter(
                one.memory.claim for one in tx.memories.find(wanted, Page(limit=MOST_READ))
            )
    finally:
        memory.close()
    pages = (site.root / _DECISIONS).read_text(encoding="utf-8")
    lost = [word for word in site.words if word not in pages]
    lost += [word for word in site.words if not any(word in claim for claim in claims)]
    twice = [claim for claim, many in claims.items() if many > 1]
    twice += [word for word in site.words if pages.count(f"{word}.") > 1]
    notes = [*left, *(f"lost {word}" for word in lost), *(f"twice {word}" for word in twice)]
    return tally + Tally(
        lost=len(lost), ghost=len(twice), bad=len(left), notes=tuple(notes[:MOST_NOTES])
    )


def _whole(site: Site) -> Tally:
    """Check pages and store as the kill left them."""
    memory = site.open()
    try:
        pages = filing(memory, site.root, site.home).notebook.read()
        findings = [one for one in memory.upkeep.check(lambda _done, _all: None) if is_bad(one)]
    finally:
        memory.close()
    text = (site.root / _DECISIONS).read_text(encoding="utf-8")
    kept = [word for word in site.words if not word.startswith("told") and word not in text]
    notes = [*map(str, pages.flaws), *map(str, findings), *(f"gone {word}" for word in kept)]
    return Tally(
        torn=len(pages.flaws),
        lost=len(kept),
        bad=len(findings),
        notes=tuple(notes[:MOST_NOTES]),
    )


def _git(root: Path, *words: str) -> None:
    subprocess.run(["git", *_AUTHOR, "-C", str(root), *words], check=True, capture_output=True)
