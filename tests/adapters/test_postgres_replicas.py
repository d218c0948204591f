"""Replicas by real streaming replication: reads follow the caller's own writes, and a promotion."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from uuid import UUID, uuid4

import psycopg
import pytest

from holdfast.adapters.postgres.care.advising import backup_advice
from holdfast.adapters.postgres.care.inspecting import inspect_database
from holdfast.adapters.postgres.database.address import read_address
from holdfast.adapters.postgres.store import PostgresOptions, PostgresStore
from holdfast.adapters.postgres.units.replicas import LogPosition
from holdfast.bootstrap.plugs.addresses import replica_addresses
from holdfast.domain.database_errors import BadStoreAddressError
from holdfast.domain.memory.selection import Selection
from holdfast.domain.review.curation import Severity
from holdfast.usecases.repeating import repeatable
from tests.contract.steps import found, keep, memory_id, numbered
from tests.postgres_server import APP, OWNER, READY, Server, follower, server
from tests.requirements import requirement


@dataclass(frozen=True)
class Pair:
    """A primary and a replica that follows it, both of their own."""

    primary: Server
    replica: Server

    def store(self, tenant: UUID, *replicas: str, address: str = "") -> PostgresStore:
        options = PostgresOptions(tenant=tenant, replicas=replicas or (self.replica.url(),))
        return PostgresStore.open(address or self.primary.url(), options)

    def position(self) -> str:
        with psycopg.connect(self.primary.url(READY, APP)) as connection:
            row = connection.execute("SELECT pg_current_wal_lsn()::text").fetchone()
        assert row is not None
        return str(row[0])

    def wait_for_replica(self, position: str) -> None:
        """Wait until the replica has replayed a position."""
        with psycopg.connect(self.replica.url(READY, APP), autocommit=True) as connection:
            while True:
                row = connection.execute(
                    "SELECT pg_last_wal_replay_lsn() >= %s::pg_lsn, pg_sleep(0.01)", (position,)
                ).fetchone()
                if row is not None and row[0]:
                    return


@pytest.fixture(scope="module")
def pair() -> Iterator[Pair]:
    primary = follower(server())
    primary.run("SELECT pg_promote()")
    replica = follower(primary)
    yield Pair(primary, replica)
    for one in (replica, primary):
        one.process.terminate()
        one.process.wait()


def reads(store: PostgresStore) -> int:
    return store._engine.replicas.reads


@requirement("replicas.read-your-writes")
def test_a_read_waits_for_no_replica_and_sees_the_own_write(pair: Pair) -> None:
    with closing(pair.store(uuid4())) as store:
        pair.replica.run("SELECT pg_wal_replay_pause()")
        try:
            keep(store, numbered(1))

            assert found(store, Selection()) == [memory_id(1)]
            assert reads(store) == 0, "the replica is behind, so the primary answered"
        finally:
            pair.replica.run("SELECT pg_wal_replay_resume()")
        pair.wait_for_replica(pair.position())

        assert found(store, Selection()) == [memory_id(1)]
        assert reads(store) == 1, "the replica has caught up, so it answered"
        keep(store, numbered(2))
        assert found(store, Selection()) == [memory_id(1), memory_id(2)]


@requirement("replicas.read-your-writes")
def test_a_program_sees_what_was_written_before_it_began(pair: Pair) -> None:
    tenant = uuid4()
    pair.replica.run("SELECT pg_wal_replay_pause()")
    try:
        with closing(pair.store(tenant)) as first:
            keep(first, numbered(1))
        with closing(pair.store(tenant)) as second:
            assert found(second, Selection()) == [memory_id(1)]
    finally:
        pair.replica.run("SELECT pg_wal_replay_resume()")


@requirement("replicas.primary-instead")
@pytest.mark.parametrize(
    ("which", "said"),
    [
        ("gone", "does not answer"),
        ("owner", "owns tables"),
        ("primary", "does not follow a primary"),
        ("empty", "no schema"),
    ],
)
def test_a_replica_that_cannot_be_used_is_told_once_and_the_primary_answers(
    pair: Pair, which: str, said: str
) -> None:
    address = {
        "gone": "postgresql://hf_app@/ready?host=/nowhere",
        "owner": pair.replica.url(READY, OWNER),
        "primary": pair.primary.url(),
        "empty": pair.replica.url("empty"),
    }[which]
    with closing(pair.store(uuid4(), address)) as store:
        keep(store, numbered(1))
        for _ in range(3):
            assert found(store, Selection()) == [memory_id(1)]

        (warning,) = store.warnings
        assert (said in warning, "primary" in warning, reads(store)) == (True, True, 0)


@requirement("replicas.primary-instead")
def test_a_server_of_another_cluster_is_no_replica(pair: Pair) -> None:
    tenant = uuid4()
    with closing(pair.store(tenant)) as store:
        replica = store._engine.replicas._all[0]
        replica._cluster = 1

        assert found(store, Selection()) == []
        assert "another cluster" in store.warnings[0]


@requirement("replicas.primary-instead")
def test_a_replica_that_is_lost_between_two_reads_is_replaced_by_the_primary(pair: Pair) -> None:
    with closing(pair.store(uuid4())) as store:
        keep(store, numbered(1))
        pair.wait_for_replica(pair.position())
        assert found(store, Selection()) == [memory_id(1)]
        assert reads(store) == 1
        pair.replica.run(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'hf_app'"
        )

        assert found(store, Selection()) == [memory_id(1)]
        assert "does not answer" in store.warnings[0]


@requirement("replicas.primary-instead")
def test_the_check_says_how_far_each_replica_is(pair: Pair) -> None:
    address = read_address(pair.primary.url())
    others = [
        read_address(one)
        for one in (
            pair.replica.url(),
            pair.primary.url(),
            "postgresql://hf_app@/ready?host=/nowhere",
        )
    ]

    told = [one for one in inspect_database(address, others) if one.check == "replica"]

    assert [one.severity for one in told] == [Severity.OK, Severity.WARNING, Severity.WARNING]
    assert "bytes behind" in told[0].message


@requirement("server.backup-advice")
def test_the_advice_about_backups_knows_replicas(pair: Pair) -> None:
    on_primary = {one.check: one for one in backup_advice(read_address(pair.primary.url()))}
    on_replica = {one.check: one for one in backup_advice(read_address(pair.replica.url()))}

    assert "None is synchronous" in on_primary["replicas"].message
    assert "This server is a replica" in on_replica["replica"].message


def test_addresses_of_replicas_are_divided_by_commas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOLDFAST_REPLICAS", "postgresql://a@/d?host=x,y , postgres://b/d")
    assert replica_addresses() == ("postgresql://a@/d?host=x,y", "postgres://b/d")
    monkeypatch.setenv("HOLDFAST_REPLICAS", " ")
    assert replica_addresses() == ()
    monkeypatch.setenv("HOLDFAST_REPLICAS", "mysql://a/d")
    with pytest.raises(BadStoreAddressError):
        replica_addresses()


def test_only_a_later_position_counts() -> None:
    position = LogPosition()
    for text in ("0/FF", "0/10", "1/0"):
        position.advance(text)
    assert position.text == "1/0"
    position.lose()
    position.advance("0/20")
    assert position.text == "0/20"


@requirement("replicas.promotion")
def test_nothing_confirmed_is_lost_when_a_synchronous_replica_is_promoted(pair: Pair) -> None:
    pair.primary.run("ALTER SYSTEM SET synchronous_standby_names TO '*'", "SELECT pg_reload_conf()")
    pair.wait_for_replica(pair.position())
    hosts = f"{pair.primary.folder},{pair.replica.folder}"
    address = f"postgresql://{APP}@/{READY}?host={hosts}&target_session_attrs=read-write"
    tenant = uuid4()
    with closing(pair.store(tenant, address=address)) as store:
        for number in range(1, 6):
            keep(store, numbered(number))
        pair.primary.process.kill()
        pair.primary.process.wait()
        pair.replica.run("ALTER SYSTEM RESET synchronous_standby_names", "SELECT pg_reload_conf()")
        pair.replica.run("SELECT pg_promote()")

        keep_after_a_loss(store)

        assert found(store, Selection()) == [memory_id(number) for number in range(1, 7)]


def keep_after_a_loss(store: PostgresStore) -> None:
    """Write as a use case does: a unit of work that the store undid is repeated."""
    repeatable(lambda: keep(store, numbered(6)))()
