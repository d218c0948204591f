"""Opening a store on a server: what is not safe or not ready is refused in one clear sentence."""

from __future__ import annotations

import threading
from collections.abc import Generator
from contextlib import contextmanager
from time import monotonic
from uuid import uuid4

import psycopg
import pytest

from holdfast.adapters.postgres.asking import SQL
from holdfast.adapters.postgres.care.inspecting import inspect_database
from holdfast.adapters.postgres.care.migrating import upgrade
from holdfast.adapters.postgres.care.tenants import create_tenant
from holdfast.adapters.postgres.database.address import read_address
from holdfast.adapters.postgres.database.connecting import LATEST, Server, refuse_old
from holdfast.adapters.postgres.database.failures import not_connected
from holdfast.adapters.postgres.store import PostgresOptions, PostgresStore
from holdfast.domain.database_errors import (
    BadStoreAddressError,
    NotMigratedError,
    NoVectorExtensionError,
    RoleLacksRightsError,
    RoleTooStrongError,
    ServerRefusedError,
    ServerTooOldError,
    ServerUnreachableError,
)
from holdfast.domain.errors import HoldfastError
from holdfast.domain.version_errors import NewerStoreError, StoreUpgradedError
from tests.builders import NOON
from tests.contract.steps import keep, numbered
from tests.patience import PATIENCE
from tests.postgres_server import APP, EMPTY, GUARDED, OWNER, PASSWORD, READY, server
from tests.requirements import requirement

BROKEN = (
    'connection failed: connection to server at "127.0.0.1", port 5432 failed: FATAL:  could not'
    " open shared memory segment\nDETAIL: more"
)
WAITING = "SELECT count(*) FROM pg_stat_activity WHERE datname = %s AND wait_event_type = 'Lock'"
SECRET = "hunter2-and-more"  # noqa: S105 - it must not be shown


def refusal(url: str) -> HoldfastError:
    with pytest.raises(HoldfastError) as refused:
        PostgresStore.open(url, PostgresOptions(tenant=uuid4()))
    return refused.value


@contextmanager
def a_role(*rights: str) -> Generator[str, None, None]:
    """Create a login role with these rights, which the template is replaced in."""
    name = f"r_{uuid4().hex[:12]}"
    server().run(f"CREATE ROLE {name} LOGIN", *(right.format(role=name) for right in rights))
    try:
        yield name
    finally:
        server().run(f"DROP OWNED BY {name}", database=READY)
        server().run(f"DROP ROLE {name}")


@requirement("tenant.strong-role-refused")
@pytest.mark.parametrize(
    ("rights", "problem"),
    [
        (("ALTER ROLE {role} SUPERUSER",), "is a superuser"),
        (("ALTER ROLE {role} BYPASSRLS", "GRANT holdfast_app TO {role}"), "BYPASSRLS"),
        (
            ("GRANT pg_write_server_files TO {role}", "GRANT holdfast_app TO {role}"),
            "use files or programs of the server",
        ),
        (("GRANT hf_owner TO {role}",), "owns tables of the store, or may become their owner"),
        (
            ("GRANT holdfast_app TO {role}", "GRANT postgres TO {role}"),
            "may become a superuser",
        ),
    ],
)
def test_a_role_that_could_see_other_tenants_is_refused(
    rights: tuple[str, ...], problem: str
) -> None:
    with a_role(*rights) as role:
        refused = refusal(server().url(READY, role))

    assert isinstance(refused, RoleTooStrongError)
    assert problem in str(refused)
    assert "holdfast_app" in str(refused)


@requirement("tenant.strong-role-refused")
def test_the_owner_of_the_tables_and_a_role_that_may_truncate_are_refused() -> None:
    assert isinstance(refusal(server().url(READY, OWNER)), RoleTooStrongError)
    with a_role("GRANT holdfast_app TO {role}") as role:
        server().run(f"GRANT TRUNCATE ON holdfast.memory TO {role}", database=READY, role=OWNER)
        assert "truncate" in str(refusal(server().url(READY, role)))


@requirement("server.refusals-are-clear")
def test_a_role_without_rights_is_told_what_to_grant() -> None:
    with a_role() as role:
        refused = refusal(server().url(READY, role))

    assert isinstance(refused, RoleLacksRightsError)
    assert f"GRANT holdfast_app TO {role}" in str(refused)


@requirement("server.refusals-are-clear")
def test_a_database_without_the_schema_or_the_extension_says_what_to_run() -> None:
    bare = server().new_database("template0")

    assert isinstance(refusal(server().url(EMPTY)), NotMigratedError)
    assert "Let the owner of its tables upgrade it" in str(refusal(server().url(EMPTY)))
    assert isinstance(refusal(server().url(bare)), NoVectorExtensionError)
    assert "CREATE EXTENSION vector" in str(refusal(server().url(bare)))
    with pytest.raises(NoVectorExtensionError):
        upgrade(read_address(server().url(bare, OWNER)))


@requirement("server.refusals-are-clear")
@pytest.mark.parametrize(
    ("version", "vector", "found"),
    [(150_004, "0.8.1", "PostgreSQL 15.4"), (180_004, "0.7.4", "vector 0.7.4")],
)
def test_an_old_server_or_extension_is_refused(version: int, vector: str, found: str) -> None:
    old = Server(
        version_number=version,
        version="15.4",
        role="r",
        is_superuser=False,
        bypasses_security=False,
        vector_version=vector,
        vector_schema="public",
        has_schema=True,
        database="d",
    )

    with pytest.raises(ServerTooOldError, match=found):
        refuse_old(old)


@requirement("server.no-password-shown")
@pytest.mark.parametrize(
    ("url", "error"),
    [
        ("postgresql://ada:{secret}@localhost:1/d", ServerUnreachableError),
        ("postgresql://ada@localhost:1/d?password={secret}", ServerUnreachableError),
        ("host=localhost port=1 dbname=d user=ada password={secret}", ServerUnreachableError),
        ("postgresql://ada:{secret}@localhost:1/", BadStoreAddressError),
        ("postgresql://ada:{secret}%zz@localhost/d", BadStoreAddressError),
        ("postgresql://ada:{secret}@localhost:port/d", BadStoreAddressError),
        ("postgresql://ada:{secret}@nowhere.invalid/d", ServerUnreachableError),
        ("postgresql://ada:{secret}@[::/d", BadStoreAddressError),
        ("{secret}", BadStoreAddressError),
    ],
)
def test_no_message_shows_the_password(url: str, error: type[HoldfastError]) -> None:
    refused = refusal(url.format(secret=SECRET))

    assert isinstance(refused, error)
    assert SECRET not in str(refused)
    assert SECRET not in repr(refused.facts)


@requirement("server.refusals-are-clear")
def test_an_unknown_user_or_database_is_refused_by_name() -> None:
    assert isinstance(refusal(server().url(READY, "nobody_here")), ServerRefusedError)
    assert isinstance(refusal(server().url("no_such_database")), ServerRefusedError)


@requirement("server.no-password-shown")
def test_a_wrong_password_is_refused_and_a_right_one_opens_the_store() -> None:
    url = server().url(READY, GUARDED)
    wrong = refusal(url.replace("@", f":{SECRET}@"))
    missing = refusal(url)

    assert isinstance(wrong, ServerRefusedError)
    assert "the password is wrong" in str(wrong)
    assert SECRET not in str(wrong)
    assert "asks for a password" in str(missing)
    right = url.replace("@", f":{PASSWORD}@")
    store = PostgresStore.open(right, PostgresOptions(tenant=uuid4()))
    keep(store, numbered(1))
    assert PASSWORD not in store.upkeep.facts().location
    store.close()


def migrated_further(name: str, *, readable_from: int) -> None:
    """Note a migration that this program does not know, and from where on programs can read it."""
    server().run(
        "INSERT INTO holdfast.schema_version (number, readable_from)"  # noqa: S608 - numbers
        f" SELECT max(number) + 1, {readable_from} FROM holdfast.schema_version",
        database=name,
    )


@requirement("store.newer-schema-refused")
def test_a_newer_schema_is_refused_when_opened_and_inside_every_write() -> None:
    name = server().new_database(READY)
    store = PostgresStore.open(server().url(name), PostgresOptions(tenant=uuid4()))
    keep(store, numbered(1))
    migrated_further(name, readable_from=LATEST + 1)

    with pytest.raises(StoreUpgradedError):
        keep(store, numbered(2))
    with store.reading() as tx:
        assert tx.memories.get(numbered(1).id).memory == numbered(1)
    store.close()
    assert isinstance(refusal(server().url(name)), NewerStoreError)
    with pytest.raises(NewerStoreError):
        upgrade(read_address(server().url(name, OWNER)))


@requirement("server.older-programs-read")
def test_a_newer_schema_that_older_programs_can_read_is_read_and_not_written() -> None:
    name, options = server().new_database(READY), PostgresOptions(tenant=uuid4())
    url = server().url(name)
    store = PostgresStore.open(url, options)
    keep(store, numbered(1))
    store.close()
    migrated_further(name, readable_from=LATEST)

    older = PostgresStore.open(url, options)
    with older.reading() as tx:
        assert tx.memories.get(numbered(1).id).memory == numbered(1)
    with pytest.raises(StoreUpgradedError, match="upgrade Holdfast"):
        keep(older, numbered(2))
    older.close()
    with pytest.raises(StoreUpgradedError):
        PostgresStore.open(url, PostgresOptions(tenant=uuid4()))
    with pytest.raises(NewerStoreError):
        create_tenant(read_address(server().url(name, OWNER)), uuid4(), "")
    found = {one.check: one for one in inspect_database(read_address(url))}
    assert "it only reads" in found["schema"].message
    migrated_further(name, readable_from=LATEST + 1)
    assert isinstance(refusal(url), NewerStoreError)


@requirement("server.older-programs-read")
def test_an_upgrade_waits_for_writers_that_know_the_old_schema() -> None:
    name = server().new_database()
    owner = read_address(server().url(name, OWNER))
    upgrade(owner, until=LATEST - 2)
    done: list[list[str]] = []
    with psycopg.connect(server().url(name, OWNER)) as writer:
        writer.execute(SQL["schema_number"])  # what a unit of work does first
        thread = threading.Thread(target=lambda: done.append(upgrade(owner, until=LATEST - 1)))
        thread.start()
        until = monotonic() + PATIENCE
        with psycopg.connect(server().url(name, "postgres"), autocommit=True) as looking:
            while not done and monotonic() < until:
                if looking.execute(WAITING, (name,)).fetchall() == [(1,)]:
                    break
        assert not done
        writer.rollback()
    thread.join()

    assert done == [[f"Brought the schema to number {LATEST - 1}."]]


@requirement("server.upgrade-is-repeatable")
def test_an_upgrade_creates_the_schema_once_and_then_changes_nothing() -> None:
    name = server().new_database()
    owner = read_address(server().url(name, OWNER))

    assert upgrade(owner) == [f"Brought the schema to number {n + 1}." for n in range(LATEST)]
    assert upgrade(owner) == []
    store = PostgresStore.open(server().url(name), PostgresOptions(tenant=uuid4()))
    keep(store, numbered(1))
    store.close()


@requirement("server.upgrade-is-repeatable")
def test_an_upgrade_without_the_right_to_it_changes_nothing() -> None:
    name = server().new_database()

    with pytest.raises(RoleLacksRightsError, match="Connect as its owner"):
        upgrade(read_address(server().url(name, APP)))

    assert isinstance(refusal(server().url(name)), NotMigratedError)


def test_a_unit_of_work_is_over_when_its_connection_is_given_back() -> None:
    store = PostgresStore.open(server().url(), PostgresOptions(tenant=uuid4()))
    with store.writing(NOON) as tx:
        tx.names.starting("", limit=1)
    with psycopg.connect(server().url(READY, "postgres")) as connection:
        left = connection.execute(
            "SELECT count(*) FROM pg_stat_activity"
            " WHERE state LIKE 'idle in transaction%' AND application_name = 'holdfast'"
        ).fetchone()
    store.close()

    assert left == (0,)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (BROKEN, " (it refuses connections: could not open shared memory segment)"),
        ("connection failed: Connection refused", ""),
    ],
)
def test_a_broken_server_is_quoted(said: str, told: str) -> None:
    address = read_address("postgresql://app@db.example/memory")

    refused = not_connected(psycopg.OperationalError(said), address)

    assert isinstance(refused, ServerUnreachableError)
    assert f"does not answer{told}." in str(refused)
