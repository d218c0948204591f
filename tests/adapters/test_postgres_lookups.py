"""What the server does for one recall and one write: it never reads a whole store."""

from __future__ import annotations

import json
import re
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

import holdfast
from holdfast.adapters.postgres.care.migrating import upgrade
from holdfast.adapters.postgres.database.address import read_address
from holdfast.adapters.postgres.database.work import PostgresWork
from holdfast.adapters.postgres.store import PostgresStore
from holdfast.adapters.postgres.units.engine import PostgresEngine
from holdfast.domain.tasks.errors import TaskCycleError
from holdfast.surfaces.python.api import MemoryStore
from tests.postgres_server import OWNER, server
from tests.requirements import requirement

# From a thousand on, a store knows how common words are, and a search leaves the common ones out.
ROWS_OF_A_MEMORY = 20
MANY = 1_100
TASKS, FREE = 300, 20
OLDER_TENANTS, OF_AN_OLDER_TENANT = 12, 60
MOST_STATEMENTS = 30
# Entries of an index that a filter drops are read too.
ROWS = b"""SELECT (SELECT sum(coalesce(seq_tup_read, 0))::bigint
                     FROM pg_stat_xact_user_tables WHERE schemaname = 'holdfast')
                + (SELECT sum(pg_stat_get_xact_tuples_returned(indexrelid))::bigint
                     FROM pg_stat_user_indexes WHERE schemaname = 'holdfast')"""


@pytest.fixture
def memory(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[MemoryStore]:
    monkeypatch.setenv("HOLDFAST_TENANT", uuid4().hex)
    monkeypatch.setenv("HOLDFAST_MODELS", str(tmp_path))
    with holdfast.open(home=tmp_path, folder=tmp_path, store=server().url()) as opened:
        yield opened


@pytest.fixture
def newer(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[MemoryStore]:
    """A store of a tenant that is newer than the statistics of its server."""
    monkeypatch.setenv("HOLDFAST_MODELS", str(tmp_path))
    database = server().new_database()
    upgrade(read_address(server().url(database, OWNER)))
    for number in range(OLDER_TENANTS):
        monkeypatch.setenv("HOLDFAST_TENANT", uuid4().hex)
        home = tmp_path / str(number)
        with holdfast.open(home=home, folder=tmp_path, store=server().url(database)) as opened:
            fill(opened, OF_AN_OLDER_TENANT)
            plan(opened, OF_AN_OLDER_TENANT)
    server().run("ANALYZE", database=database)
    monkeypatch.setenv("HOLDFAST_TENANT", uuid4().hex)
    with holdfast.open(home=tmp_path, folder=tmp_path, store=server().url(database)) as opened:
        yield opened
    server().run(f"DROP DATABASE {database} WITH (FORCE)")


@pytest.fixture
def rows_read(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return the rows that the server reads from tables in each transaction that ends."""
    read: list[int] = []
    before: dict[int, int] = {}
    inside, committed = PostgresEngine._inside, PostgresEngine._committed

    def counted(connection: psycopg.Connection) -> int:
        return int(connection.execute(ROWS).fetchall()[0][0])

    @contextmanager
    def counting(self: PostgresEngine, work: PostgresWork) -> Generator[None, None, None]:
        before[id(work.server)] = counted(work.server)
        with inside(self, work):
            yield
            if not work.may_write:
                read.append(counted(work.server) - before[id(work.server)])

    @contextmanager
    def committing(
        self: PostgresEngine, connection: psycopg.Connection, token: str
    ) -> Generator[None, None, None]:
        with committed(self, connection, token):
            yield
            read.append(counted(connection) - before[id(connection)])

    monkeypatch.setattr(PostgresEngine, "_inside", counting)
    monkeypatch.setattr(PostgresEngine, "_committed", committing)
    return read


def fill(memory: MemoryStore, many: int = MANY) -> None:
    claims = [f"Walrus w{n}x lies on rock r{n}y near bay b{n}z." for n in range(many)]
    memory.remember_all(claims, scope="global", because="counted", tags=["tagged"])


def ask(memory: MemoryStore) -> object:
    return memory.recall("Where is w3x on r4y?").memories


def tell(memory: MemoryStore) -> object:
    return memory.remember("Seal s3q barks at gull g4k.", scope="global", because="heard")


def forget(memory: MemoryStore) -> object:
    (found, *_) = memory.recall("Where is w3x on r4y?").memories
    return memory.forget(found.id)


@requirement("postgres.no-store-is-read-whole")
def test_a_verb_reads_fewer_rows_than_the_store_has(
    memory: MemoryStore, rows_read: list[int]
) -> None:
    fill(memory)

    read = {}
    for verb in (ask, tell):
        rows_read.clear()
        verb(memory)
        read[verb.__name__] = sum(rows_read)

    assert [name for name, rows in read.items() if not 0 < rows < MANY] == []


@requirement("postgres.no-store-is-read-whole")
def test_a_common_word_is_looked_up_only_where_a_rarer_one_is(
    memory: MemoryStore, rows_read: list[int]
) -> None:
    # Nearly half of the memories contain it: a word in more of them is not searched at all.
    ground = ["granite"] * 12 + ["sand", "ice", "mud", "moss", "peat"] * 3
    claims = [f"Walrus w{n}x lies on {ground[n % len(ground)]} at b{n}z." for n in range(MANY)]
    memory.remember_all(claims, scope="global", because="counted")

    rows_read.clear()
    answer = memory.recall("Is w6x or w20x on granite?")

    assert answer.memories[0].text == claims[6]
    assert 0 < sum(rows_read) < sum("granite" in claim for claim in claims)


@requirement("postgres.no-store-is-read-whole")
def test_no_verb_of_a_tenant_newer_than_the_statistics_reads_its_whole_store(
    newer: MemoryStore, rows_read: list[int]
) -> None:
    fill(newer)

    read = {}
    for verb in (ask, tell, forget):
        rows_read.clear()
        verb(newer)
        read[verb.__name__] = max(rows_read)

    # Forgetting reads each record once, to name every copy of the text (decision 141).
    most = {"ask": MANY, "tell": MANY, "forget": ROWS_OF_A_MEMORY * MANY}
    assert [name for name, rows in read.items() if not 0 < rows < most[name]] == []


def plan(memory: MemoryStore, many: int = TASKS) -> None:
    """Import tasks of which each waits for up to three others; the first twenty wait for none."""
    lines = []
    for n in range(1, many + 1):
        earlier = [n - back for back in (7, 30, 90) if n - back > FREE]
        needs = [{"depends_on_id": f"bd-{one}", "type": "blocks"} for one in earlier]
        issue = {"id": f"bd-{n}", "title": f"Work {n}", "status": "open", "dependencies": needs}
        lines.append(json.dumps(issue))
    memory.tasks.import_(lines)


def add(memory: MemoryStore) -> object:
    return memory.tasks.add("More work", after=["bd-5"])


def wait_for_older(memory: MemoryStore) -> object:
    return memory.tasks.edit(f"bd-{TASKS - 1}", after=["bd-3"])


def wait_for_newer(memory: MemoryStore) -> object:
    return memory.tasks.edit("bd-4", after=[f"bd-{TASKS}"])


def close_a_line(memory: MemoryStore) -> object:
    line = [memory.tasks.add("Step 0")]
    for number in range(1, 30):
        line.append(memory.tasks.add(f"Step {number}", after=[line[-1]]))
    with pytest.raises(TaskCycleError) as refused:
        memory.tasks.edit(line[0], after=[line[-1]])
    return refused


def show(memory: MemoryStore) -> object:
    return memory.tasks.show("bd-200")


def claim(memory: MemoryStore) -> object:
    return memory.tasks.claim_next(by="ada")


def finish(memory: MemoryStore) -> object:
    return memory.tasks.done(memory.tasks.claim_next(by="ada"), by="ada")


TASK_VERBS = (add, wait_for_older, wait_for_newer, close_a_line, show, claim, finish)


@requirement("postgres.no-store-is-read-whole")
def test_no_verb_of_tasks_reads_a_whole_plan(
    memory: MemoryStore, newer: MemoryStore, rows_read: list[int]
) -> None:
    read = {}
    for store in (memory, newer):
        plan(store)
        for verb in TASK_VERBS:
            rows_read.clear()
            verb(store)
            read[verb.__name__, store is newer] = max(rows_read)

    assert {name: rows for name, rows in read.items() if not 0 < rows < TASKS} == {}


@requirement("recall.few-statements")
def test_a_recall_from_a_large_store_on_a_server_runs_few_statements(
    memory: MemoryStore, tmp_path: Path
) -> None:
    fill(memory)
    store, file = memory.app.store, tmp_path / "trace.txt"
    assert isinstance(store, PostgresStore)
    (connection,) = store._engine._pool._idle

    with file.open("wb") as trace:
        connection.pgconn.trace(trace.fileno())
        found = memory.recall("Which walrus lies near the bay?", limit=20).memories
        connection.pgconn.untrace()

    assert len(found) > 1
    ran = len(re.findall(rb"\tExecute\t|\tQuery\t", file.read_bytes()))
    assert ran <= MOST_STATEMENTS
