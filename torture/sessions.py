"""Branch operations on random histories: no turn is lost, and no session hears of another branch.

Each turn commits a file of its own, so the history of a commit says whether the work of a turn is
part of it. After every operation the preamble is compared with that truth: it must not tell a turn
whose file was never in the checkout, unless the turn was written on this very branch, and it must
not name any other branch. Turns are counted in the store, and read from the files of sessions.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import holdfast
from holdfast.domain.sessions.reconciling import ReconcileChoice
from holdfast.surfaces.python.api import MemoryStore
from holdfast.usecases.pages.sync import Sync
from holdfast.usecases.sessions import hydrating
from holdfast.usecases.sessions.caching import KeepTurn
from holdfast.usecases.sessions.hydrating import Hydrate
from torture.plants import Plant, planted
from torture.report import Report, Tally, faulty
from torture.session_truth import History, Written, ever, is_here, is_part, is_undone, works
from torture.task import Task

STEPS = 20
_MARK = re.compile(r"mark-[0-9]+-")
_BRANCH = re.compile(r"br[0-9]+x")
_LOST = "no longer on this branch"


def _work(history: History, memory: MemoryStore, *, commits: bool = True) -> None:
    """Do a turn: a file, a commit, and what the hook of a tool keeps of it."""
    number = history.number()
    mark, name = f"mark-{number}-", f"work-{number}.txt"
    if commits:
        (history.folder / name).write_text(f"{mark}\n" * 5, encoding="utf-8")
        history.git("add", name)
        history.git("commit", "-q", "-m", f"Work {number}")
    session = history.chance.choice(history.sessions[-3:])
    if history.chance.random() < 0.2:
        session = memory.session(tool="torture").id
        history.sessions.append(session)
    wish = KeepTurn(asked=mark, summary="worked", key=f"key {number}")
    memory.app.session_cache.keep_turn(session, wish)
    branch = history.branch
    turn = Written(
        mark=mark,
        file=name if commits else _last_file(history),
        branch=branch,
        life=history.branches.get(branch, 0),
        session=session,
        head=history.git("rev-parse", "HEAD"),
        commits=commits,
    )
    history.turns.append(turn)


def _last_file(history: History) -> str:
    """Return the newest work that a turn without a commit stands on."""
    return max(works(history, "HEAD"), key=lambda name: int(name[5:-4]), default="")


def _fresh(history: History, start: str = "HEAD") -> None:
    name = f"br{history.number()}x"
    if history.chance.random() < 0.3:
        name = f"{name}/größe/{'long' * 20}"
    history.git("checkout", "-q", "-b", name, start)
    history.branches[name] = history.number()


def _rename(history: History) -> None:
    name, new = history.branch, f"br{history.number()}x"
    if name and name != "main":
        history.git("branch", "-q", "-m", new)
        history.branches[new] = history.branches.pop(name)
        for turn in history.turns:
            if turn.branch == name and turn.life == history.branches[new]:
                turn.branch = new


def _delete(history: History) -> None:
    name = history.other()
    if name not in {"main", history.branch}:
        history.git("branch", "-q", "-D", name)
        history.branches.pop(name, None)


def _again(history: History) -> None:
    """Delete a branch, and make another one of the same name from main."""
    name = history.other()
    if name not in {"main", history.branch}:
        history.git("branch", "-q", "-D", name)
        history.git("checkout", "-q", "-b", name, "main")
        history.branches[name] = history.number()


def _squash(history: History) -> None:
    history.git("merge", "-q", "--squash", history.other())
    history.git("commit", "-q", "-m", "Squashed")


def _amend(history: History) -> None:
    (history.folder / "amended.txt").write_text(f"{history.number()}\n", encoding="utf-8")
    history.git("add", "amended.txt")
    history.git("commit", "-q", "--amend", "-m", "Amended")


def _force(history: History) -> None:
    """Take over what somebody else pushed over this branch."""
    name = history.branch
    if not name:
        return
    history.git("checkout", "-q", "--detach", "main")
    _file(history)
    history.git("branch", "-q", "-f", name, "HEAD")
    history.git("checkout", "-q", name)


def _expire(history: History) -> None:
    history.git("reflog", "expire", "--expire=now", "--all")
    history.is_expired = True


def _file(history: History) -> None:
    name = f"else-{history.number()}.txt"
    (history.folder / name).write_text("else\n", encoding="utf-8")
    history.git("add", name)
    history.git("commit", "-q", "-m", name)


def _soft(history: History) -> None:
    history.git("reset", "-q", "--soft", "HEAD~2")
    history.git("commit", "-q", "-m", "Two in one")


OPERATIONS: dict[str, Callable[[History], object]] = {
    "new branch": _fresh,
    "new branch from main": lambda one: _fresh(one, "main"),
    "switch": lambda one: one.git("checkout", "-q", one.other()),
    "merge": lambda one: one.git("merge", "-q", "--no-ff", "-m", "Merge", one.other()),
    "fast-forward": lambda one: one.git("merge", "-q", "--ff-only", one.other()),
    "squash": _squash,
    "rebase": lambda one: one.git("rebase", "-q", one.other()),
    "rebase onto main": lambda one: one.git("rebase", "-q", "--onto", "main", "HEAD~1"),
    "amend": _amend,
    "reset": lambda one: one.git("reset", "-q", "--hard", "HEAD~1"),
    "reset to main": lambda one: one.git("reset", "-q", "--hard", "main"),
    "soft reset": _soft,
    "force push": _force,
    "delete": _delete,
    "rename": _rename,
    "same name again": _again,
    "cherry-pick": lambda one: one.git("cherry-pick", one.other()),
    "revert": lambda one: one.git("revert", "--no-edit", "HEAD"),
    "detach": lambda one: one.git("checkout", "-q", "--detach"),
    "commit of others": _file,
    "pack": lambda one: one.git("pack-refs", "--all"),
    "expire": _expire,
}


def run(task: Task) -> Report:
    """Carry out operations on some histories, and check after each of them."""
    histories = task.number(short=1, full=20)
    if planted(Plant.EVERY_BRANCH):
        setattr(hydrating, "_arrived", _all_arrived)  # noqa: B010 - types do not allow a bug
        setattr(hydrating, "lost_commits", _none_lost)  # noqa: B010 - types do not allow a bug
    tally, done = Tally(), 0
    for number in range(histories):
        chance = random.Random(f"{task.seed} {number}")
        tally += _one(task.folder(f"history-{number}"), chance, _names(task, chance))
        done += STEPS if task.full else len(OPERATIONS)
    words = f"{done} of {len(OPERATIONS)} branch operations on {histories} histories"
    return Report(tool="sessions", done=words, tally=tally)


def _names(task: Task, chance: random.Random) -> Iterator[str]:
    """Return operations by chance; in a short run, every operation once."""
    every = [*OPERATIONS]
    if task.full:
        return (chance.choice(every) for _ in range(STEPS))
    return iter(chance.sample(every, len(every)))


def _all_arrived(points: object, *_more: object, **_named: object) -> tuple[object, str]:
    """Take every branch for one that is part of the checkout."""
    return points, ""


def _none_lost(*_more: object, **_named: object) -> frozenset[str]:
    """Take every commit for one that is part of the checkout."""
    return frozenset()


def _one(work: Path, chance: random.Random, names: Iterator[str]) -> Tally:
    folder = work / "app"
    folder.mkdir()
    history = History(folder=folder, home=work / "home", chance=chance)
    history.git("init", "-q", "-b", "main")
    (folder / ".holdfast/memory").mkdir(parents=True)
    (folder / ".holdfast/config.toml").touch()
    (folder / ".git/info/exclude").write_text(".holdfast/\n", encoding="utf-8")
    history.branches["main"] = 0
    _file(history)
    tally = Tally()
    with _opened(history) as memory:
        history.sessions.append(memory.session(tool="torture").id)
        _work(history, memory)
    for name in names:
        OPERATIONS[name](history)
        history.settle()
        with _opened(history) as memory:
            tally += _checked(history, memory).because(f"after {name}")
            if chance.random() < 0.2:
                _reconcile(history, memory)
            for _ in range(chance.randrange(3)):
                _work(history, memory, commits=chance.random() < 0.8)
            tally += _checked(history, memory).because(f"after {name} and turns")
        tally += Tally(acks=len(history.turns), faults=1)
        if tally.wrong:
            return tally
    with _opened(history) as memory:
        return tally + _files(history, memory)


def _opened(history: History) -> MemoryStore:
    return holdfast.open(home=history.home, folder=history.folder)


def _reconcile(history: History, memory: MemoryStore) -> None:
    """Do what a setting would do; turns that are tied to this branch count here from now on."""
    found = memory.app.session_cache.reconcile(dry_run=True)
    choice = history.chance.choice(found.found.choices)
    done = memory.app.session_cache.reconcile(wanted=choice)
    if choice in {ReconcileChoice.REBASE, ReconcileChoice.FORK}:
        branch, head = history.branch, history.git("rev-parse", "HEAD")
        life, session = history.branches.get(branch, 0), done.session or ""
        tied = [turn for turn in history.turns if turn.session == found.session]
        history.turns[:0] = [
            replace(turn, branch=branch, life=life, head=head, session=session, is_tied=True)
            for turn in tied
        ]
        history.sessions.append(session)


def _checked(history: History, memory: MemoryStore) -> Tally:
    """Compare the preamble and the store with what is true."""
    text = memory.app.session_cache.hydrate(Hydrate(tokens=50_000)).text
    branch, here = history.branch, ever(history)
    tally, told = Tally(), set(_MARK.findall(text))
    asked = [turn for turn in history.turns if turn.mark in told]
    allowed = {turn.mark for turn in asked if is_here(turn, branch, here, history)}
    for turn in asked:
        if turn.mark not in allowed:
            tally += faulty(f"ELSEWHERE {turn.mark} of {turn.branch[:12]} told on {branch[:12]}")
    tally += _marked(history, text, here)
    current = set(_BRANCH.findall(branch))
    if strangers := set(_BRANCH.findall(text)) - current:
        tally += faulty(f"NAMED {sorted(strangers)} told on {branch[:12]}")
    newest = history.turns[-1]
    is_done = newest.commits and branch and newest.branch == branch and newest.file in here
    if is_done and newest.mark not in told:
        tally += faulty(f"SILENT about {newest.mark}, which was done here last")
    return tally + _kept(history, memory)


def _marked(history: History, text: str, here: set[str]) -> Tally:
    """Check that a turn whose work never was in the checkout is told as lost, and no other."""
    tally = Tally()
    for line in text.splitlines():
        for mark in _MARK.findall(line):
            mine = [turn for turn in history.turns if turn.mark == mark and turn.commits]
            if any(turn.is_tied for turn in mine):
                continue
            has_commit = any(is_part(turn.head, history) for turn in mine)
            has_file = any(turn.file in here for turn in mine)
            is_lost, is_known = _LOST in line, not history.is_expired
            is_missing = is_known and mine and not (is_lost or has_commit or has_file)
            if is_missing and not any(is_undone(turn, here, history) for turn in mine):
                tally += faulty(f"UNMARKED {mark}, whose commit is not part of the checkout")
            if is_lost and has_commit:
                tally += faulty(f"MARKED {mark} as lost, although its commit is here")
    return tally


def _kept(history: History, memory: MemoryStore) -> Tally:
    with memory.app.store.reading() as tx:
        kept = {
            turn.key
            for session in tx.sessions.page(beyond=None, limit=1_000)
            for turn in tx.sessions.caches.turns(session.id)
        }
    numbers = {f"key {turn.mark.split('-')[1]}" for turn in history.turns}
    gone = numbers - kept
    return Tally(lost=len(gone), notes=(f"LOST {sorted(gone)}",)) if gone else Tally()


def _files(history: History, memory: MemoryStore) -> Tally:
    """Check that the files of sessions have every turn, after a sync that makes them anew."""
    folder = history.folder / ".holdfast/sessions"
    for path in folder.glob("*.json"):
        path.unlink()
    memory.app.pages.sync(Sync(by="torture", voice=memory.app.principal.origin))
    found = {
        turn["asked"]
        for path in folder.glob("*.json")
        for turn in json.loads(path.read_text(encoding="utf-8"))["turns"]
    }
    gone = {turn.mark for turn in history.turns} - found
    return Tally(lost=len(gone), notes=(f"LOST from files {sorted(gone)}",)) if gone else Tally()
