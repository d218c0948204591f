"""The counts of a status line, and what a cold start may load."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from holdfast.adapters.sqlite.badge import accepted_among, badge_counts
from holdfast.adapters.sqlite.store import SqliteStore
from holdfast.domain.choices import Scope, Status
from holdfast.domain.memory.link import Link
from holdfast.domain.memory.memory import Standing
from tests.builders import HERE, NOON, a_branch_point
from tests.contract.steps import keep, memory_id, numbered
from tests.requirements import requirement

SOURCE = str(Path(__file__).parents[2] / "src")


IDENTITY = "1.2:3.4"


def counted(
    path: Path, *, branch: str = "main", identity: str = IDENTITY
) -> tuple[tuple[int, int] | None, int] | None:
    """Return what the badge counts in a checkout of the repository of the samples."""
    book = path.with_name("repositories.json")
    book.write_text(
        json.dumps({"folders": {IDENTITY: {"repository": HERE.repo}}}), encoding="utf-8"
    )
    try:
        return badge_counts(str(path), identity=identity, book=str(book), branch=branch)
    finally:
        book.unlink()


def loaded_by(statement: str) -> set[str]:
    """Return the modules that a fresh Python has after a statement."""
    code = f"import sys; {statement}; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-S", "-c", f"import sys; sys.path[:0] = {[SOURCE, *sys.path]!r}; {code}"],
        check=True,
        capture_output=True,
        text=True,
    )
    return set(done.stdout.split())


def test_candidates_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "holdfast.db"
    store = SqliteStore.open(path)
    keep(store, numbered(1))
    keep(store, numbered(2), numbered(3), standing=Standing(status=Status.CANDIDATE))

    assert counted(path) == ((2, 0), 0)
    store.close()
    assert counted(path) == ((2, 0), 0)


def test_candidates_that_contradict_what_stands_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "holdfast.db"
    store = SqliteStore.open(path)
    keep(store, numbered(1), numbered(2))
    waiting, gone = Standing(status=Status.CANDIDATE), Standing(status=Status.REJECTED)
    keep(store, numbered(3), numbered(4), numbered(5), standing=waiting)
    keep(store, numbered(6), standing=gone)
    with store.writing(NOON) as tx:
        for src, dst, kind in (
            (3, 1, "contradicts"),
            (3, 2, "contradicts"),
            (4, 1, "contradicts"),
            (1, 4, "compatible"),
            (5, 6, "contradicts"),
            (5, 1, "related"),
            (6, 1, "contradicts"),
        ):
            tx.links.put(Link(src=memory_id(src), dst=memory_id(dst), kind=kind))
    store.close()

    assert counted(path) == ((3, 2), 0)


def test_accepted_ones_that_contradict_each_other_are_counted_till_that_is_settled(
    tmp_path: Path,
) -> None:
    path = tmp_path / "holdfast.db"
    store = SqliteStore.open(path)
    keep(store, *(numbered(number) for number in range(1, 7)))
    keep(store, numbered(7), standing=Standing(status=Status.CANDIDATE))
    with store.writing(NOON) as tx:
        for src, dst, kind in (
            (2, 1, "contradicts"),
            (3, 7, "contradicts"),
            (4, 1, "contradicts"),
            (4, 1, "withdrawn"),
            (5, 1, "contradicts"),
            (1, 5, "derived-from"),
            (6, 1, "contradicts"),
            (6, 1, "supersedes"),
        ):
            tx.links.put(Link(src=memory_id(src), dst=memory_id(dst), kind=kind))
    store.close()

    assert counted(path) == ((1, 2), 0)


def test_a_lost_tail_is_a_warning(tmp_path: Path) -> None:
    path = tmp_path / "holdfast.db"
    store = SqliteStore.open(path)
    keep(store, numbered(1))
    store.close()
    older = path.read_bytes()
    store = SqliteStore.open(path)
    keep(store, numbered(2))
    store.close()
    path.write_bytes(older)

    assert counted(path) == ((0, 0), 1)
    store = SqliteStore.open(path)
    keep(store, numbered(3))
    store.close()
    assert counted(path) == ((0, 0), 1)


def test_a_store_that_is_not_there_has_no_badge_and_is_not_made(tmp_path: Path) -> None:
    assert counted(tmp_path / "holdfast.db") is None
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_no_store_is_a_warning(tmp_path: Path) -> None:
    path = tmp_path / "holdfast.db"
    path.write_text("Dear diary. " * 100, encoding="utf-8")

    assert counted(path) == ((0, 0), 1)


@pytest.mark.parametrize("heavy", ["dataclasses", "typing", "pathlib", "json", "re", "datetime"])
def test_the_badge_loads_next_to_nothing(heavy: str) -> None:
    loaded = loaded_by("import holdfast.adapters.sqlite.badge")

    assert heavy not in loaded


@pytest.mark.parametrize(
    "heavy", ["subprocess", "asyncio", "logging", "tempfile", "importlib.resources", "sqlite3"]
)
def test_the_store_loads_nothing_heavy(heavy: str) -> None:
    assert heavy not in loaded_by("import holdfast.adapters.sqlite.store")


@requirement("counts.of-this-checkout")
def test_only_what_reaches_the_checkout_is_counted(tmp_path: Path) -> None:
    path = tmp_path / "holdfast.db"
    store = SqliteStore.open(path)
    waiting = Standing(status=Status.CANDIDATE)
    keep(store, numbered(1), numbered(2, repo="elsewhere"), standing=waiting)
    keep(store, numbered(3, scope=Scope.GLOBAL, repo=None), standing=waiting)
    keep(store, numbered(4, branch_point=a_branch_point()), standing=waiting)
    keep(store, numbered(5), numbered(6), numbered(7, repo="elsewhere"))
    with store.writing(NOON) as tx:
        for src, dst in ((5, 6), (6, 5), (7, 2), (7, 5)):
            tx.links.put(Link(src=memory_id(src), dst=memory_id(dst), kind="contradicts"))
    store.close()

    assert counted(path, branch="feature") == ((3, 1), 0)
    assert counted(path, identity="") == ((1, 0), 0)


@requirement("counts.of-this-checkout")
@pytest.mark.parametrize(
    "change",
    [
        {"branch_point": a_branch_point()},
        {"scope": Scope.WORKSPACE, "repo": None},
    ],
    ids=["another branch", "a workspace"],
)
def test_where_only_the_engine_can_tell_no_counts_are_given(
    tmp_path: Path, change: dict[str, Any]
) -> None:
    path = tmp_path / "holdfast.db"
    store = SqliteStore.open(path)
    keep(store, numbered(1, **change), standing=Standing(status=Status.CANDIDATE))
    store.close()

    assert counted(path) == (None, 0)


@requirement("counts.of-this-checkout")
def test_an_unknown_folder_and_a_broken_book_leave_it_to_the_engine(tmp_path: Path) -> None:
    path, book = tmp_path / "holdfast.db", tmp_path / "broken.json"
    SqliteStore.open(path).close()
    book.write_text("{", encoding="utf-8")

    assert counted(path, identity="9.9:9.9") == (None, 0)
    for name in (book, tmp_path / "missing.json"):
        given = badge_counts(str(path), identity=IDENTITY, book=str(name), branch="")
        assert given == (None, 0)


@requirement("counts.drift-of-what-stands")
def test_only_memories_that_are_accepted_count_as_drifted(tmp_path: Path) -> None:
    path = tmp_path / "holdfast.db"
    store = SqliteStore.open(path)
    keep(store, numbered(1), numbered(2))
    keep(store, numbered(3), standing=Standing(status=Status.SUPERSEDED))
    store.close()
    names = [str(memory_id(number)) for number in (1, 2, 3)]

    assert accepted_among(str(path), [*names, "m_forgotten", 'm_"odd']) == 2
    assert accepted_among(str(path), []) == 0
    assert accepted_among(str(tmp_path / "none.db"), names) == 0
    path.write_bytes(b"no database at all" * 100)
    assert accepted_among(str(path), names) == 0
