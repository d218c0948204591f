"""How many SQL statements each verb runs: ``python -m benchmarks.statements``.

The store lies beside a real repository. Its memories rest on lines and on commits; some are
linked, some contradict each other, some were written on a branch, and all have pages.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from unittest.mock import patch

import apsw
import psycopg

from benchmarks.figures import Figure, table
from holdfast.adapters.sqlite.database.rows import Row, Value
from holdfast.app import Holdfast
from holdfast.bootstrap.opening.wiring import open_holdfast
from holdfast.bootstrap.pages.filing import set_up_pages
from holdfast.bootstrap.plugs.addresses import ServerPlace
from holdfast.domain.choices import EvidenceType, LinkKind, Origin
from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.callers import Principal, PrincipalKind
from holdfast.domain.memory.evidence import Evidence
from holdfast.domain.memory.link import Link
from holdfast.domain.memory.selection import Page, Selection
from holdfast.domain.recall.question import Question
from holdfast.domain.values import replace
from holdfast.ports.recall.models import Embedder
from holdfast.usecases.anchors.gather import Grounds
from holdfast.usecases.anchors.verify import Verify
from holdfast.usecases.memory.browse import Browse
from holdfast.usecases.memory.remember import Remember
from holdfast.usecases.pages.sync import Sync
from holdfast.usecases.review.queued import Review

MOST_FOR_A_RECALL = 30
HITS = 20
# This makes 395 memories on six branches: more than a store that one query evaluates whole.
LARGER = 6
# From here on a store keeps how common words are, and reads that too.
MANY = 1_000
_IN_A_FILE = ServerPlace(address="")
_ADA = Principal.of(PrincipalKind.PERSON, name="ada")
_QUESTION = "How does the queue worker retry a job?"
_NAMES = "Why does retry_amber of amber.py:2 break DEC-001, DEC-002, step_3, step_4 and part-5?"
_SUBJECTS = (
    *("amber", "basalt", "cedar", "dune", "ember", "fjord", "grove", "heath", "islet", "jetty"),
    *("knoll", "lagoon", "marsh", "nook", "oasis", "prairie", "quarry", "ridge", "shoal", "tarn"),
    *("upland", "vale", "weir", "yard", "zenith", "atoll", "bluff", "cove", "delta", "estuary"),
)
_AT = "2026-01-05T12:00:00+0000"


@contextmanager
def counted() -> Generator[list[str], None, None]:
    """Note every statement that connections opened from now on run, as it is written."""
    seen: list[str] = []

    def note(_cursor: apsw.Cursor, statement: str, _values: object) -> bool:
        seen.append(statement)
        return True

    def watch(connection: apsw.Connection) -> None:
        connection.exec_trace = note

    apsw.connection_hooks.append(watch)
    try:
        yield seen
    finally:
        apsw.connection_hooks.remove(watch)


@contextmanager
def counted_on_server() -> Generator[list[str], None, None]:
    """Note every statement that is sent to a Postgres server, as it is written."""
    seen: list[str] = []
    send = psycopg.Cursor.execute

    def note(
        cursor: psycopg.Cursor[Row],
        query: bytes,
        values: Mapping[str, Value] | None = None,
        *,
        prepare: bool | None = None,
    ) -> psycopg.Cursor[Row]:
        seen.append(query.decode())
        return send(cursor, query, values, prepare=prepare)

    with patch.object(psycopg.Cursor, "execute", note):
        yield seen


def write_repository(root: Path) -> None:
    """Write a repository with one file for each subject, and a branch beside the main one."""
    root.mkdir(parents=True)
    for name in _SUBJECTS:
        (root / f"{name}.py").write_text(
            f"def retry_{name}(job):\n    attempts = {len(name)}\n    return job, attempts\n"
        )
    _git(root, "init", "-q", "-b", "main")
    _git(root, "add", "-A")
    _git(root, "commit", "-q", "-m", "Add the queue")


def fill(memory: Holdfast, root: Path, *, times: int = 1, others: int = 0) -> list[MemoryId]:
    """Remember a claim about each subject; link, contradict, and write some on a branch.

    ``times`` is how often each subject gets another accepted claim and another candidate, and how
    many branches have claims of their own. ``others`` is how many claims of other subjects the
    store has.
    """
    memory.memories.remember_all([_other(number) for number in range(others)])
    commit = _git(root, "rev-parse", "HEAD")
    reason = Evidence(type=EvidenceType.COMMIT, reference=commit)
    done = memory.memories.remember_all([_wish(name) for name in _SUBJECTS])
    ids = [one.record.memory.id for one in done]
    for number, one in enumerate(done):
        if number % 3 == 0:
            memory.memories.remember(
                replace(_wish(_SUBJECTS[number]), grounds=Grounds(given=(reason,)))
            )
        if number:
            memory.memories.link(
                Link(src=ids[number - 1], dst=one.record.memory.id, kind="related")
            )
    for number in range(0, 10, 2):
        memory.memories.link(Link(src=ids[number], dst=ids[number + 1], kind=LinkKind.CONTRADICTS))
    memory.memories.remember_all([_wish(name, " twice", origin=Origin.AGENT) for name in _SUBJECTS])
    for number in range(times):
        more = f" in round {number}" if number else ""
        if number:
            memory.memories.remember_all([_wish(name, more) for name in _SUBJECTS])
            wishes = [_wish(name, f" twice{more}", origin=Origin.AGENT) for name in _SUBJECTS]
            memory.memories.remember_all(wishes)
        _git(root, "checkout", "-q", "-b", f"feature-{number}")
        _git(root, "commit", "-q", "--allow-empty", "-m", f"Go aside {number}")
        memory.memories.remember_all(
            [_wish(name, f" on the branch{more}") for name in _SUBJECTS[:5]]
        )
        _git(root, "checkout", "-q", "main")
    return ids


def _wish(name: str, more: str = "", *, origin: Origin = Origin.HUMAN) -> Remember:
    claim = f"The queue worker retries the job {name} after {len(name)} seconds{more}."
    return Remember(claim=claim, grounds=Grounds(places=(f"{name}.py:1-3",)), origin=origin)


def _other(number: int) -> Remember:
    claim = f"Ship {number} sails from harbour {number % 9} to port {number % 31}."
    return Remember(claim=claim, grounds=Grounds(because="the log book"), origin=Origin.HUMAN)


def verbs(memory: Holdfast, root: Path, ids: list[MemoryId]) -> dict[str, Callable[[], object]]:
    """Return what is counted, by the name of its verb."""
    pages = memory.pages
    question = Question(text=_QUESTION, limit=HITS, budget=20_000)
    return {
        "recall that embeds new memories": lambda: memory.answers.recall(question),
        "model catch-up": lambda: memory.embedder and memory.upkeep.catch_up(_say_nothing),
        "recall after the catch-up": lambda: memory.answers.recall(question),
        f"recall, {HITS} hits": lambda: memory.answers.recall(question),
        "recall that names much": lambda: memory.answers.recall(replace(question, text=_NAMES)),
        "list": lambda: memory.memories.browse(Browse(selection=Selection(), page=Page(limit=60))),
        "explain": lambda: memory.memories.explain(ids[3]),
        "related": lambda: memory.memories.related(ids[3]),
        "verify": lambda: memory.evidence.verify(Verify()),
        "review": lambda: memory.review.review(Review(limit=10)),
        "review of a hundred": lambda: memory.review.review(Review(limit=100)),
        "conflicts": memory.review.conflicts,
        "status": memory.upkeep.status,
        "survey": memory.care.survey,
        "digest": lambda: memory.care.digest(since=timedelta(days=7)),
        "context": lambda: memory.runs.context("Change how the worker retries"),
        "export": lambda: list(memory.exchange.export()),
        "sync, first": lambda: pages.sync(Sync(by="ada", voice=Origin.HUMAN)),
        "sync, unchanged": lambda: pages.sync(Sync(by="ada", voice=Origin.HUMAN)),
        "feedback": lambda: memory.answers.feedback(_newest(memory), good=True),
    }


def _say_nothing(_done: int, _total: int) -> None:
    """Watch a long task without a word."""


def _newest(memory: Holdfast) -> str:
    with memory.store.reading() as tx:
        return tx.bundles.page(beyond=None, limit=1)[0].id


def measured(
    folder: Path,
    *,
    embedder: Embedder | None = None,
    times: int = 1,
    others: int = 0,
    only: tuple[str, ...] = ("",),
    at: ServerPlace = _IN_A_FILE,
) -> dict[str, list[str]]:
    """Return the statements of each verb, in a store with ``times`` as many memories.

    ``embedder`` is one to use instead of the installed one; ``only`` is how the names of the verbs
    begin; ``at`` is the server of the store, if it is on one.
    """
    root, home = folder / "tree", folder / "home"
    write_repository(root)
    set_up_pages(root)
    found: dict[str, list[str]] = {}
    with counted_on_server() if at.address else counted() as seen:
        memory = open_holdfast(principal=_ADA, home=home, folder=root, at=at)
        if embedder is not None:
            memory = replace(memory, embedder=embedder)
        ids = fill(memory, root, times=times, others=others)
        for name, work in verbs(memory, root, ids).items():
            if not name.startswith(only):
                continue
            seen.clear()
            work()
            found[name] = list(seen)
        memory.close()
    return found


def _git(root: Path, *words: str) -> str:
    alone = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null"}
    dated = {"GIT_AUTHOR_DATE": _AT, "GIT_COMMITTER_DATE": _AT}
    who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.test"]
    done = subprocess.run(
        ["git", *who, *words],
        cwd=root,
        env=os.environ | alone | dated,
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout.strip()


def main() -> int:
    """Count in a small and in a larger store, and fail where a recall runs too many."""
    figures: list[Figure] = []
    for times in (1, LARGER):
        with tempfile.TemporaryDirectory() as folder:
            found = measured(Path(folder), times=times)
        figures += [
            Figure(
                name=name if times == 1 else f"{name}, larger store",
                value=len(statements),
                unit="statements",
                at_most=MOST_FOR_A_RECALL if name.startswith("recall,") else None,
            )
            for name, statements in found.items()
        ]
    print(table(figures))
    return int(any(one.verdict == "missed" for one in figures))


if __name__ == "__main__":
    sys.exit(main())
