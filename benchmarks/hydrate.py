"""``python -m benchmarks.hydrate``: the CPU time of telling a session where the work stands.

A repository gets branches, commits, tasks and 1,000 sessions of ten turns each, half of them on the
branch that is checked out. Then the preamble is made again and again, and the CPU time of this
process and of the git processes that it starts is measured; also that of the whole command.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median

import holdfast
from holdfast.domain.ids import SessionId, sortable
from holdfast.domain.memory.anchor import BranchPoint
from holdfast.domain.sessions.cache import CachedTurn, CacheNote, NoteKind, SessionCache
from holdfast.domain.sessions.session import Session
from holdfast.surfaces.python.api import MemoryStore
from holdfast.usecases.sessions.hydrating import Hydrate

_SESSIONS, _TURNS, _BRANCHES, _ROUNDS = 1_000, 10, 20, 30
_SHORT_SESSIONS, _SHORT_ROUNDS = 60, 5
_TARGET = 100.0
_WHO = ("-c", "user.name=Ada", "-c", "user.email=ada@example.test", "-c", "core.fsync=none")


def git(folder: Path, *words: str) -> str:
    """Run git in the repository."""
    done = subprocess.run(
        ["git", *_WHO, *words], cwd=folder, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def history(folder: Path) -> list[BranchPoint]:
    """Make a repository with branches of five commits each; return their points."""
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    git(folder, "commit", "-q", "--allow-empty", "-m", "First")
    points: list[BranchPoint] = []
    for number in range(_BRANCHES):
        git(folder, "checkout", "-q", "-b", f"branch-{number}", "main")
        for commit in range(5):
            (folder / f"file-{number}-{commit}.py").write_text(f"x = {commit}\n", encoding="utf-8")
            git(folder, "add", "-A")
            git(folder, "commit", "-q", "-m", f"Work {number} {commit}")
            head = git(folder, "rev-parse", "HEAD")
            points.append(BranchPoint(branch=f"branch-{number}", head=head, is_aside=True))
        if number % 3 == 0:
            git(folder, "checkout", "-q", "main")
            git(folder, "merge", "-q", "--no-ff", "-m", "Merge", f"branch-{number}")
    git(folder, "checkout", "-q", "branch-1")
    return points


def fill(memory: MemoryStore, points: list[BranchPoint], sessions: int) -> None:
    """Keep the sessions, half of them on the branch that is checked out."""
    app = memory.app
    repo, mine = app.place().repo, [one for one in points if one.branch == "branch-1"]
    for number in range(sessions):
        now = app.clock.now()
        name = SessionId(sortable("i", at=now, entropy=number))
        chosen = mine if number % 2 else points[number % len(points) :][:1]
        branch = chosen[0].branch
        session = Session(
            id=name, tool="claude", user="ada", repo=repo, branch=branch, started_at=now
        )
        notes = tuple(
            CacheNote(
                id=f"n{one}",
                kind=kind,
                text=f"Note {one} of session {number}",
                at=now,
                branch=branch,
                point=chosen[0],
            )
            for one, kind in enumerate((NoteKind.NOTE, NoteKind.SUBTASK))
        )
        with app.store.writing(now) as tx:
            tx.sessions.put(session)
            for turn in range(1, _TURNS + 1):
                tx.sessions.caches.put_turn(
                    CachedTurn(
                        session_id=name,
                        number=turn,
                        at=now,
                        asked=f"Question {turn} of session {number}: " + "words " * 20,
                        summary="What was done, in a few sentences. " * 8,
                        commands=("make test", "git diff"),
                        paths=("src/a.py", "src/b.py"),
                        tool="claude",
                        repo=repo,
                        branch=branch,
                        point=chosen[turn % len(chosen)],
                        key=f"{name} {turn}",
                    )
                )
            tx.sessions.caches.put(
                SessionCache(
                    session_id=name, at=now, repo=repo, branch=branch, last=_TURNS, notes=notes
                )
            )


def spent(work: Callable[[], object]) -> float:
    """Return the CPU milliseconds of a call, in this process and in those that it starts."""

    def now() -> float:
        kinds = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
        used = [resource.getrusage(kind) for kind in kinds]
        return sum(one.ru_utime + one.ru_stime for one in used)

    before = now()
    work()
    return (now() - before) * 1000


def told(name: str, times: list[float], target: float | None = None) -> None:
    """Print the median and the slowest call."""
    wanted = "" if target is None else f"  (target {target:.0f})"
    sys.stdout.write(f"{name:<24} {median(times):8.1f} ms CPU  at most {max(times):8.1f}{wanted}\n")
    sys.stdout.flush()


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--short", action="store_true", help="few sessions, few rounds")
    parser.add_argument("--sessions", type=int, default=_SESSIONS)
    options = parser.parse_args()
    sessions = _SHORT_SESSIONS if options.short else options.sessions
    rounds = _SHORT_ROUNDS if options.short else _ROUNDS
    with tempfile.TemporaryDirectory() as work:
        folder, home = Path(work) / "app", Path(work) / "home"
        points = history(folder)
        with holdfast.open(home=home, folder=folder) as memory:
            fill(memory, points, sessions)
            sys.stdout.write(f"{sessions:,} sessions of {_TURNS} turns, {_BRANCHES} branches\n")
            cache = memory.app.session_cache
            found = cache.hydrate(Hydrate())
            told(
                "hydrate", [spent(lambda: cache.hydrate(Hydrate())) for _ in range(rounds)], _TARGET
            )
            sys.stdout.write(
                f"{'told':<24} {len(found.standing.turns)} turns, {found.tokens} tokens\n"
            )
        words = [sys.executable, "-P", "-m", "holdfast", "hydrate"]
        environment = {**os.environ, "HOLDFAST_HOME": str(home)}

        def command() -> None:
            subprocess.run(words, cwd=folder, env=environment, check=True, capture_output=True)

        told("holdfast hydrate", [spent(command) for _ in range(max(3, rounds // 3))])


if __name__ == "__main__":
    main()
