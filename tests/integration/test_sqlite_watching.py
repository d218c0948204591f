"""A look at the store for hooks: it sees what it must, waits for nobody and makes nothing."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import apsw
import pytest

from holdfast.adapters.sqlite.store import SqliteStore
from holdfast.adapters.sqlite.watching import SqliteWatch
from holdfast.domain.choices import EvidenceType, Kind, Origin, Scope, Status
from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.evidence import Evidence
from holdfast.domain.memory.memory import Memory, Standing
from holdfast.domain.sessions.tool_action import ToolAction
from tests.builders import HERE, a_memory, a_span, a_tombstone
from tests.requirements import requirement

NOW = datetime.now(UTC)
FORCE = ToolAction(commands=(("git", "push", "--force"),))


def path_of(folder: Path) -> str:
    return str(folder / "holdfast.db")


@pytest.fixture
def store(tmp_path: Path) -> SqliteStore:
    return SqliteStore.open(Path(path_of(tmp_path)))


def put(
    store: SqliteStore, memory: Memory | None = None, standing: Standing | None = None, **more: Any
) -> None:
    fields = {"kind": Kind.RULE, "claim": "Never run `git push --force`."}
    with store.writing(NOW) as tx:
        tx.memories.add(memory or a_memory(**(fields | more)), standing or Standing())


def named(folder: Path, doing: ToolAction = FORCE, repo: str | None = HERE.repo) -> list[str]:
    found = SqliteWatch(path_of(folder)).cautions(doing, repo=repo, workspace="default")
    return [one.memory for one in found]


def test_the_pulse_says_where_the_log_stands_and_whether_memory_changed(
    store: SqliteStore, tmp_path: Path
) -> None:
    watch = SqliteWatch(path_of(tmp_path))
    put(store)
    first = watch.pulse(0)
    assert first is not None
    assert first.has_news
    assert watch.pulse(first.newest) == (first.newest, False)

    with store.writing(NOW) as tx:
        tx.anchors.spans.put(a_span())
    second = watch.pulse(first.newest)
    with store.writing(NOW) as tx:
        tx.memories.forget(a_tombstone())
    third = watch.pulse(first.newest)

    assert second is not None
    assert not second.has_news
    assert third is not None
    assert third.has_news


def test_what_cannot_be_read_is_not_there(tmp_path: Path) -> None:
    assert SqliteWatch(path_of(tmp_path)).pulse(0) is None
    assert named(tmp_path) == []
    Path(path_of(tmp_path)).write_bytes(b"no database" * 500)
    assert SqliteWatch(path_of(tmp_path)).pulse(0) is None
    assert list(tmp_path.iterdir()) == [Path(path_of(tmp_path))]


def test_a_writer_is_not_waited_for(store: SqliteStore, tmp_path: Path) -> None:
    put(store)
    writer = apsw.Connection(path_of(tmp_path))
    writer.execute("BEGIN IMMEDIATE")

    found = named(tmp_path)

    writer.close(force=True)
    assert found == ["m_1"]


def test_only_accepted_memories_that_reach_the_place_are_seen(
    store: SqliteStore, tmp_path: Path
) -> None:
    put(store, id=MemoryId("m_here"))
    put(store, id=MemoryId("m_candidate"), standing=Standing(status=Status.CANDIDATE))
    put(store, id=MemoryId("m_ended"), standing=Standing(status=Status.DEPRECATED))
    put(store, id=MemoryId("m_elsewhere"), repo="github.com/acme/other")
    put(store, id=MemoryId("m_global"), scope=Scope.GLOBAL, repo=None)
    put(store, id=MemoryId("m_work"), scope=Scope.WORKSPACE, workspace="default")
    put(store, id=MemoryId("m_other_work"), scope=Scope.WORKSPACE, workspace="other")
    put(store, id=MemoryId("m_fact"), kind=Kind.FACT)
    past = NOW - timedelta(days=1)
    put(store, id=MemoryId("m_expired"), expires_at=past, created_at=past - timedelta(days=9))
    put(store, id=MemoryId("m_pinned"), expires_at=past, standing=Standing(pinned=True))

    assert set(named(tmp_path)) == {"m_here", "m_global", "m_work", "m_pinned"}
    assert set(named(tmp_path, repo=None)) == {"m_global", "m_work"}


@pytest.mark.parametrize(
    ("claim", "doing"),
    [
        ("Never edit `src/gen/api.py`.", ToolAction(paths=("src/gen/api.py",))),
        ("Never edit `vendor/`.", ToolAction(paths=("vendor/a/b.c",))),
        ("Never edit `*.lock`.", ToolAction(paths=("sub/poetry.lock",))),
        ("Never edit `settings.*`.", ToolAction(paths=("app/settings.py",))),
        ("Never edit `.env`.", ToolAction(paths=(".env",))),
        ("Never run `./deploy.sh`.", ToolAction(commands=(("/opt/app/deploy.sh", "x"),))),
        ("Never run `docker-compose up`.", ToolAction(commands=(("docker-compose", "up"),))),
    ],
)
def test_a_claim_that_names_it_is_seen(
    store: SqliteStore, tmp_path: Path, claim: str, doing: ToolAction
) -> None:
    put(store, claim=claim)
    put(store, id=MemoryId("m_2"), claim="Something else entirely.")

    assert named(tmp_path, doing) == ["m_1"]


def test_a_claim_that_only_speaks_of_it_is_not_worth_reading(
    store: SqliteStore, tmp_path: Path
) -> None:
    put(store, claim="We push with git, and never with force.")

    assert named(tmp_path) == []


def test_evidence_read_in_the_file_is_seen_with_what_came_later(
    store: SqliteStore, tmp_path: Path
) -> None:
    span = Evidence(type=EvidenceType.SPAN, reference="src/app.py:10-30", span=a_span().id)
    with store.writing(NOW) as tx:
        tx.anchors.spans.put(a_span())
        tx.memories.add(a_memory(kind=Kind.GOTCHA), Standing())
        tx.anchors.reasons.add(MemoryId("m_1"), span)

    found = SqliteWatch(path_of(tmp_path)).cautions(
        ToolAction(paths=("src/app.py",)), repo=HERE.repo, workspace="default"
    )

    assert [one.anchors for one in found] == [("src/app.py",)]


def test_metadata_that_says_when_is_always_seen(store: SqliteStore, tmp_path: Path) -> None:
    when = {"when": {"command": ["kubectl *"], "path": "x/*"}, "enforce": True}
    put(store, claim="Ask first.", metadata=when)

    found = SqliteWatch(path_of(tmp_path)).cautions(FORCE, repo=HERE.repo, workspace="default")

    assert found[0].when_command == ("kubectl *",)
    assert found[0].when_path == ("x/*",)
    assert found[0].is_enforced


@requirement("hook.enforce-is-a-persons-word")
def test_a_rule_of_an_agent_that_was_accepted_enforces_nothing(
    store: SqliteStore, tmp_path: Path
) -> None:
    put(
        store,
        claim="Ask first.",
        metadata={"when": {"command": ["kubectl *"]}, "enforce": True},
        origin=Origin.AGENT,
    )

    found = SqliteWatch(path_of(tmp_path)).cautions(FORCE, repo=HERE.repo, workspace="default")

    assert [one.is_enforced for one in found] == [False]


@pytest.mark.parametrize(
    "word", ['"', "*", "a OR b", "NEAR(", "value:", "'", "-", "(", "\x01", "é", "x" * 5_000]
)
def test_no_word_is_read_as_a_question_to_the_index(
    store: SqliteStore, tmp_path: Path, word: str
) -> None:
    put(store)

    assert named(tmp_path, ToolAction(commands=((word,),), paths=(word,))) == []
    assert named(tmp_path) == ["m_1"]
