"""Tools and a person write pages at the same time, and git changes them; then kills.

Tools write through the real notebook. Each has its own store, from which it restores lines that an
outdated copy of a page removed. A person saves whole pages as four editors do, without checking for
changes. Then editors save in six styles while the real sync and remember run in a loop. In the end,
every acknowledged edit of a tool and every line that the person saved must be in the pages. A file
that is incomplete after a kill is TORN.
"""

from __future__ import annotations

import random
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from threading import BrokenBarrierError

from holdfast.adapters.files.pages import MEMORY
from holdfast.domain.memory.entry import PAGES
from torture.crew import Crew, in_child, in_children
from torture.files_hands import saved_by_hand
from torture.files_people import Person
from torture.files_tools import KINDS, Tool, notebook_at
from torture.report import MOST_NOTES, Report, Tally, aligned
from torture.task import Task

TOOLS = 4
EDITS_PER_SAVE = 20
FEWEST_SAVES = 24
KILLS = 30
SHORT_KILLS = 6
JUDGED_EVERY = 3
LINES_PER_KILL = 12
BRANCHES = ("aside", "main")
LONGEST_RUN_SECONDS = 1_800
MEAN_GAP_SECONDS = 0.01
LOOK_SECONDS = 0.001
_AUTHOR = ("-c", "user.name=a person", "-c", "user.email=person@example.org")


Numbers = tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """The result of one process: its acknowledged words, and its interruptions."""

    words: tuple[str, ...]
    came_back: int = 0
    handed_back: int = 0


def run(task: Task) -> Report:
    """Write concurrently, look for missing lines, kill, and return the results."""
    edits = task.number(short=160, full=10_000)
    saves = max(edits // EDITS_PER_SAVE, FEWEST_SAVES)
    rows = [["part", "tool edits", "saves", "checkouts", "kills", "back", "again", "lost", "torn"]]
    often, rare = saves // 5 + 4, saves // 10 + 4
    kills = KILLS if task.full else SHORT_KILLS
    parts: dict[str, Callable[[Path], tuple[Numbers, Tally]]] = {
        "pages": lambda at: _together(at, task.seed, edits, saves, checkouts=0),
        "git": lambda at: _together(at, task.seed + 1, edits // 10, often, checkouts=rare),
        "hands": lambda at: _by_hand(at, task.seed + 3, 2 * edits),
        "kills": lambda at: _killed(at, task.seed + 2, kills),
    }
    tally = Tally()
    for name, part in parts.items():
        if task.is_over(tally):
            break
        numbers, found = part(task.folder(name))
        rows.append([name, *(f"{one:,}" for one in numbers)])
        tally += found
    print("\n".join(aligned(rows)))
    done = f"{edits:,} tool edits, {saves + 2 * edits:,} saves by hand, checkouts, kills"
    return Report(tool="files", done=done, tally=tally)


def _by_hand(folder: Path, seed: int, saves: int) -> tuple[Numbers, Tally]:
    """Let editors save while sync and remember loop; each save must be found again."""
    ended = saved_by_hand(folder, seed=seed, saves=saves)
    notes = tuple(f"lost: {marker}" for marker in ended.lost[:MOST_NOTES])
    tally = Tally(acks=ended.written, faults=saves, lost=len(ended.lost), notes=notes)
    return (ended.written - saves, saves, 0, 0, 0, ended.aside, len(ended.lost), 0), tally


def _together(
    root: Path, seed: int, edits: int, saves: int, *, checkouts: int
) -> tuple[Numbers, Tally]:
    """Let tools and a person write the same pages, with or without git."""
    pages = _pages(root, has_git=checkouts > 0)
    site = Site(root=root, pages=pages, seed=seed, others=1 + bool(checkouts))
    work: list[Callable[[], Share]] = [site.tool(number, edits // TOOLS) for number in range(TOOLS)]
    work.append(site.person(saves, edits // saves))
    if checkouts:
        work.append(site.checkouts(checkouts, edits // checkouts))
    shares = in_children([site.ending_all(one) for one in work])
    everything, flaws = _everything(root, pages), notebook_at(root).read().flaws
    words = [word for share in shares for word in share.words]
    lost = [word for word in words if word not in everything]
    notes = [f"lost: {word}" for word in lost] + [str(flaw) for flaw in flaws]
    tally = Tally(
        acks=len(words),
        faults=saves + checkouts,
        lost=len(lost),
        torn=len(flaws),
        notes=tuple(notes[:MOST_NOTES]),
    )
    tools = shares[:TOOLS]
    told = sum(len(share.words) for share in tools)
    back, again = (sum(getattr(one, key) for one in tools) for key in ("came_back", "handed_back"))
    return (told, saves, checkouts, 0, back, again, len(lost), len(flaws)), tally


class Site:
    """One folder of pages, and all the processes that work in it."""

    def __init__(self, *, root: Path, pages: list[Path], seed: int, others: int) -> None:
        self._root = root
        self._pages = pages
        self._seed = seed
        context = get_context("fork")
        # A person does not save during their own checkout: that race is git's.
        self._turn = context.Lock()
        self._edits = context.Value("i", 0)
        self._all_done = context.Barrier(TOOLS + others, timeout=LONGEST_RUN_SECONDS)

    def tool(self, number: int, edits: int) -> Callable[[], Share]:
        """Return the work of a tool: its edits and, at the end, restoring what is missing."""

        def work() -> Share:
            tool = Tool(self._root, name=str(number), seed=self._seed * 100 + number)
            for _ in range(edits):
                tool.edit()
                with self._edits.get_lock():
                    self._edits.value += 1
            self._all_done.wait()
            tool.catch_up()
            return Share(
                words=tuple(tool.words), came_back=tool.came_back, handed_back=tool.handed_back
            )

        return work

    def person(self, saves: int, every: int) -> Callable[[], Share]:
        """Return the work of a person: one save after a number of edits of the tools."""

        def work() -> Share:
            person = Person(self._pages, seed=self._seed)
            while len(person.saved) < saves:
                self._wait_for(len(person.saved) * every)
                with self._turn:
                    person.edit()
                person.rest()
            self._all_done.wait()
            return Share(words=tuple(person.saved))

        return work

    def checkouts(self, number: int, every: int) -> Callable[[], Share]:
        """Return the work of a process that commits and switches between two branches."""

        def work() -> Share:
            for turn in range(number):
                self._wait_for(turn * every)
                with self._turn:
                    _git(self._root, "add", "--all", MEMORY)
                    _git(self._root, "commit", "--quiet", "--allow-empty", "--message", "Go on")
                    _git(self._root, "checkout", "--quiet", BRANCHES[turn % 2])
            self._all_done.wait()
            return Share(words=())

        return work

    def ending_all(self, work: Callable[[], Share]) -> Callable[[], Share]:
        """Return work whose failure ends the others too, instead of letting them wait for it."""

        def guarded() -> Share:
            try:
                return work()
            except BaseException:
                self._all_done.abort()
                raise

        return guarded

    def _wait_for(self, edits: int) -> None:
        """Wait until the tools have made so many edits.

        Raises:
            BrokenBarrierError: Another process failed.
        """
        while self._edits.value < edits:
            if self._all_done.broken:
                raise BrokenBarrierError
            time.sleep(LOOK_SECONDS)


def _pages(root: Path, *, has_git: bool) -> list[Path]:
    """Create the pages, each with a unique line, and return their paths."""
    folder = root / MEMORY
    folder.mkdir(parents=True)
    pages = [folder / f"{PAGES[kind][0]}.md" for kind in KINDS]
    for page in pages:
        page.write_text("# A page\n\nA line of its own.\n", encoding="utf-8")
    if has_git:
        _git(root, "init", "--quiet", "--initial-branch", BRANCHES[1])
        (root / ".gitignore").write_text("*~\n4913\n.*.swp-*\n", encoding="utf-8")
        _git(root, "add", "--all")
        _git(root, "commit", "--quiet", "--message", "Begin")
        _git(root, "branch", BRANCHES[0])
    return pages


def _git(root: Path, *words: str) -> str:
    """Run git and return its output; a checkout over uncommitted edits may be refused."""
    done = subprocess.run(
        ["git", *_AUTHOR, "-C", str(root), *words], capture_output=True, check=False, text=True
    )
    return done.stdout


def _everything(root: Path, pages: list[Path]) -> str:
    """Return the text of the pages now and, with git, in all commits of all branches."""
    text = "".join(page.read_text(encoding="utf-8") for page in pages)
    if (root / ".git").exists():
        text += _git(root, "log", "--all", "--patch", "--format=")
    return text


def _killed(root: Path, seed: int, kills: int) -> tuple[Numbers, Tally]:
    """Kill tools during their writes; every page must be complete, and nothing missing."""
    _pages(root, has_git=True)
    chance = random.Random(seed)
    journal = root / "journal"
    crew = Crew()
    tally, torn, generation = Tally(), 0, 0
    while crew.kills < kills:
        for number in range(TOOLS):
            generation += 1
            name = f"g{generation}n{number}"
            crew.start(str(number), partial(_write_on, root, name, journal))
        _wait_for_edits(journal, LINES_PER_KILL)
        time.sleep(chance.expovariate(1 / MEAN_GAP_SECONDS))
        crew.kill(str(chance.randrange(TOOLS)))
        if crew.kills % JUDGED_EVERY == 0 or crew.kills == kills:
            crew.kill_all()
            found = in_child(lambda: _judged(root, journal))
            tally += found
            torn += found.torn
    crew.kill_all()
    acks = journal.read_text(encoding="utf-8").count("ack ")
    tally += Tally(acks=acks, faults=crew.kills)
    return (acks, 0, 0, crew.kills, 0, 0, tally.lost, torn), tally


def _wait_for_edits(journal: Path, lines: int) -> None:
    """Wait until the tools have written so many journal lines, so that they are writing."""
    begin = _lines(journal)
    while _lines(journal) < begin + lines:
        time.sleep(LOOK_SECONDS)


def _lines(journal: Path) -> int:
    return journal.read_bytes().count(b"\n") if journal.exists() else 0


def _write_on(root: Path, name: str, journal: Path) -> None:
    """Write until killed; the journal gets each attempt before it and each acknowledgement."""
    with journal.open("a", encoding="utf-8") as file:

        def tell(line: str) -> None:
            file.write(f"{line}\n")
            file.flush()

        tool = Tool(root, name=name, seed=hash(name), tell=tell)
        while True:
            tool.edit()


def _judged(root: Path, journal: Path) -> Tally:
    """Check every page after a kill: no flaw, all acknowledged edits, no partial ones."""
    pages = notebook_at(root).read()
    said = {str(one.entry.uid): one.entry.body.splitlines() for one in pages.entries}
    told = [line.split() for line in journal.read_text(encoding="utf-8").splitlines()]
    tried = {word for verb, _, word in told if verb == "try"}
    lost = [word for verb, uid, word in told if verb == "ack" and word not in said.get(uid, [])]
    ghosts = [word for lines in said.values() for word in lines if word not in tried]
    left = [path.name for path in (root / MEMORY).iterdir() if path.suffix != ".md"]
    state = root / ".git" / "holdfast" / "pages"
    left += [path.name for path in state.iterdir()] if state.exists() else []
    notes = [*map(str, pages.flaws), *lost, *ghosts, *left]
    return Tally(
        lost=len(lost),
        ghost=len(ghosts),
        torn=len(pages.flaws),
        bad=len(left),
        notes=tuple(notes[:MOST_NOTES]),
    )
