"""Hand saves while ``sync`` and ``remember`` run in a loop: finds what happened to each.

Every editor has its own page: it reads the page, waits, and saves it in one of six styles. Every
save and every tool write carries a unique marker. In the end each marker must be in a page, in the
store (as a memory of any status), or among the saves that were set aside for the person. A marker
that an editor replaced itself is not looked for.
"""

from __future__ import annotations

import random
import re
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from holdfast.adapters.files.pages import MEMORY
from holdfast.app import Holdfast
from holdfast.bootstrap.opening.wiring import open_holdfast
from holdfast.bootstrap.pages.filing import filing, set_up_pages
from holdfast.domain.choices import Kind, Origin
from holdfast.domain.errors import ConflictError, StaleError, UnavailableError
from holdfast.domain.memory.entry import PAGES
from holdfast.domain.memory.selection import Page, Selection
from holdfast.domain.values import replace
from holdfast.usecases.anchors.gather import Grounds
from holdfast.usecases.memory.remember import Remember
from holdfast.usecases.pages.sync import Sync
from torture.crew import in_child, in_children
from torture.files_people import by_backup, by_rename, in_chunks, in_place
from torture.files_tools import plant_here
from torture.principal import A_PERSON

KINDS = (Kind.DECISION, Kind.GOTCHA, Kind.RULE, Kind.FACT)
SAVES_PER_ROUND = 400
LONGEST_WAIT_SECONDS = 0.2
HASTY_WAIT_SECONDS = 0.02
HASTY_SHARE = 0.9
HELD_SHARE = 0.03
"""A writer waits while a file is held open, so few may be, or nothing is written."""
LONGEST_PAUSE_SECONDS = 0.05
MOST_LINES = 24
SYNCERS = 2
KEYS = 3
LAST_SYNCS = 3
_AUTHOR = ("-c", "user.name=a person", "-c", "user.email=person@example.org")
_MARKER = re.compile(r"(?:hand|tool)x\d+x\d+x\d+x")
WHOLE: tuple[Callable[[Path, bytes], None], ...] = (in_place, by_rename, by_backup, in_chunks)


@dataclass(frozen=True, slots=True, kw_only=True)
class Markers:
    """The markers of one process, and those that it replaced itself."""

    written: frozenset[str] = frozenset()
    replaced: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """The result of a round: markers written, missing markers, and copies set aside."""

    written: int
    lost: tuple[str, ...]
    aside: int


class Editor:
    """Edits one page without checking whether it changed since it was read."""

    def __init__(self, page: Path, *, prefix: str, seed: int) -> None:
        self._page = page
        self._prefix = prefix
        self._chance = random.Random(seed)
        self.written: list[str] = []
        self.replaced: set[str] = set()

    def save(self) -> None:
        """Read, wait, and save in one of the styles."""
        is_held = self._chance.random() < HELD_SHARE
        style = self._chance.randrange(len(WHOLE) + 1)
        marker = f"{self._prefix}{len(self.written)}x"
        if is_held:
            gone = self._hold(marker)
        elif style < len(WHOLE):
            gone, fresh = self._edited(self._page.read_bytes(), marker)
            self._wait()
            WHOLE[style](self._page, fresh)
        else:
            gone = self._append(marker)
        self.written.append(marker)
        self.replaced |= gone

    def _append(self, marker: str) -> set[str]:
        self._wait()
        with self._page.open("ab") as file:
            file.write(f"Appended {marker}.\n".encode())
        return set()

    def _hold(self, marker: str) -> set[str]:
        """Keep the file open for writing from before the read until after the save."""
        with self._page.open("r+b") as file:
            gone, fresh = self._edited(file.read(), marker)
            self._wait()
            file.seek(0)
            file.write(fresh)
            file.truncate()
        return gone

    def _wait(self) -> None:
        is_hasty = self._chance.random() < HASTY_SHARE
        longest = HASTY_WAIT_SECONDS if is_hasty else LONGEST_WAIT_SECONDS
        time.sleep(self._chance.uniform(0, longest))

    def _edited(self, content: bytes, marker: str) -> tuple[set[str], bytes]:
        """Return the page with one more marker, and which own markers it replaces."""
        lines = content.decode().splitlines(keepends=True)
        mine = [number for number, line in enumerate(lines) if self._prefix in line]
        tools = [number for number, line in enumerate(lines) if "toolx" in line]
        way = self._chance.random()
        gone: set[str] = set()
        if len(mine) > MOST_LINES or (mine and way < 0.3):
            count = max(1, len(mine) - MOST_LINES)
            for at in self._chance.sample(mine, count):
                gone |= set(_MARKER.findall(lines[at]))
                lines[at] = f"Rewritten {marker}.\n"
        elif tools and way < 0.5:
            lines.insert(self._chance.choice(tools) + 1, f"Beside it {marker}.\n")
        elif way < 0.6:
            lines.insert(min(2, len(lines)), f"A note {marker}.\n")
        else:
            kind = _TYPES[self._page.stem]
            lines.append(f"\n---\ntype: {kind}\n---\nNew {marker}.\n")
        return gone, "".join(lines).encode()


_TYPES = {page: kind.value for kind, (page, _) in PAGES.items()}


class Round:
    """One repository and one store, and all the processes that work on them."""

    def __init__(self, folder: Path, *, number: int, seed: int, saves: int) -> None:
        self._root, self._home = folder / "app", folder / "home"
        self._number, self._seed, self._saves = number, seed, saves
        self._root.mkdir(parents=True)
        _git(self._root, "init", "--quiet", "--initial-branch", "main")
        _git(self._root, "commit", "--quiet", "--allow-empty", "--message", "Begin")
        set_up_pages(self._root)
        self._pages = [self._root / MEMORY / f"{PAGES[kind][0]}.md" for kind in KINDS]
        for page in self._pages:
            page.write_text(f"# {page.stem}\n\nA line of its own.\n", encoding="utf-8")
        self._left = get_context("fork").Value("i", len(KINDS))

    def run(self) -> Ended:
        """Run all processes; return the markers written and those that are missing."""
        work = [self._editor(number) for number in range(len(KINDS))]
        shares = in_children([*work, *[self._syncer] * SYNCERS, self._rememberer])
        written = {one for share in shares for one in share.written}
        replaced = {one for share in shares for one in share.replaced}
        found, aside = in_child(self._found)
        return Ended(
            written=len(written), lost=tuple(sorted(written - replaced - found)), aside=aside
        )

    def _editor(self, number: int) -> Callable[[], Markers]:
        def work() -> Markers:
            prefix = f"handx{self._number}x{number}x"
            editor = Editor(self._pages[number], prefix=prefix, seed=self._seed * 1_000 + number)
            try:
                while len(editor.written) < self._saves // len(KINDS):
                    editor.save()
            finally:
                with self._left.get_lock():
                    self._left.value -= 1
            return Markers(written=frozenset(editor.written), replaced=frozenset(editor.replaced))

        return work

    def _syncer(self) -> Markers:
        plant_here()
        while self._left.value:
            self._sync()
        return Markers()

    def _rememberer(self) -> Markers:
        plant_here()
        chance = random.Random(self._seed)
        written: set[str] = set()
        while self._left.value:
            marker, kind = f"toolx{self._number}x0x{len(written)}x", chance.choice(KINDS)
            with self._memory() as memory:
                wish = Remember(
                    origin=Origin.HUMAN,
                    claim=f"Tool says {marker}.",
                    kind=kind,
                    key=f"{kind.value}-{chance.randrange(KEYS)}",
                    grounds=Grounds(because="it runs"),
                )
                memory.memories.remember(wish)
            written.add(marker)
            self._sync()
            time.sleep(chance.uniform(0, LONGEST_PAUSE_SECONDS))
        return Markers(written=frozenset(written))

    def _sync(self) -> None:
        with self._memory() as memory:
            try:
                filing(memory, self._root, self._home).sync(Sync(voice=Origin.HUMAN, by="a person"))
            except (ConflictError, StaleError, UnavailableError):
                return  # it reports the conflict and loses nothing; the next one tries again

    def _found(self) -> tuple[frozenset[str], int]:
        """Return every marker that is in a page, in the store or set aside, and the copies."""
        for _ in range(LAST_SYNCS):
            self._sync()
        with self._memory() as memory:
            texts = list(_claims(memory))
        texts += [page.read_text(encoding="utf-8") for page in self._pages]
        kept = sorted((self._root / ".git" / "holdfast" / "kept").glob("*"))
        texts += [path.read_text(encoding="utf-8") for path in kept]
        return frozenset(_MARKER.findall("\n".join(texts))), len(kept)

    def _memory(self) -> closing[Holdfast]:
        return closing(open_holdfast(principal=A_PERSON, home=self._home, folder=self._root))


def _claims(memory: Holdfast) -> Iterator[str]:
    page = Page(limit=500)
    with memory.store.reading() as tx:
        while some := tx.memories.find(Selection(), page):
            yield from (one.memory.claim for one in some)
            page = replace(page, beyond=some.beyond)


def _git(root: Path, *words: str) -> None:
    subprocess.run(["git", *_AUTHOR, "-C", str(root), *words], check=True, capture_output=True)


def saved_by_hand(folder: Path, *, seed: int, saves: int) -> Ended:
    """Let editors save so often, in separate rounds, and return the results."""
    ended: list[Ended] = []
    left = saves
    while left > 0:
        number, many = len(ended), min(left, SAVES_PER_ROUND)
        ended.append(
            Round(folder / str(number), number=number, seed=seed + number, saves=many).run()
        )
        left -= many
    return Ended(
        written=sum(one.written for one in ended),
        lost=tuple(marker for one in ended for marker in one.lost),
        aside=sum(one.aside for one in ended),
    )
