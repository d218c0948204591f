"""Tenants on one server: the database itself keeps them apart, in every table."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing, contextmanager
from uuid import UUID, uuid4

import psycopg
import pytest
from psycopg import sql

from holdfast.adapters.postgres.store import PostgresOptions, PostgresStore
from holdfast.domain.errors import NoSuchError
from holdfast.domain.memory.link import Link
from holdfast.domain.memory.place import SpaceId
from holdfast.domain.memory.selection import Selection
from tests.builders import NOON, a_session, a_span
from tests.contract.steps import found, hits, keep, memory_id, numbered
from tests.postgres_server import APP, OWNER, READY, server
from tests.requirements import requirement

THEIRS, OURS = UUID(int=1), UUID(int=2)
GLOBAL_TABLES = {"schema_version"}
PARTITIONS = 8


def opened(tenant: UUID, space: str = "default") -> PostgresStore:
    return PostgresStore.open(server().url(), PostgresOptions(tenant=tenant, space=SpaceId(space)))


@contextmanager
def connected(
    tenant: UUID | None = None, store: str = "", *, role: str = APP
) -> Generator[psycopg.Connection, None, None]:
    """Open a transaction of the application role, as an attacker with SQL would."""
    with psycopg.connect(server().url(READY, role)) as connection:
        connection.execute("SET LOCAL search_path TO holdfast, public")
        if tenant is not None:
            connection.execute(
                "SELECT set_config('app.current_tenant_id', %s, true),"
                " set_config('app.current_store_id', %s, true)",
                (str(tenant), store),
            )
        yield connection
        connection.rollback()


def store_of(tenant: UUID, space: str = "default") -> str:
    with connected(tenant) as connection:
        row = connection.execute(
            "SELECT id::text FROM memory_stores WHERE store_name = %s", (space,)
        ).fetchone()
    assert row is not None
    return str(row[0])


def tables(*, partitions: bool = True) -> list[str]:
    with connected(role=OWNER) as connection:
        rows = connection.execute(
            "SELECT c.relname FROM pg_class c WHERE c.relnamespace = 'holdfast'::regnamespace"
            " AND c.relkind IN ('r', 'p') AND (NOT c.relispartition OR %s) ORDER BY 1",
            (partitions,),
        ).fetchall()
    return [str(row[0]) for row in rows]


@pytest.fixture
def lived_in() -> tuple[UUID, UUID]:
    """Two tenants with the same ids and different texts."""
    theirs, ours = uuid4(), uuid4()
    for tenant, word in ((theirs, "walrus"), (ours, "seal")):
        with closing(opened(tenant)) as store:
            keep(store, numbered(1, claim=f"A {word}."), numbered(2, claim=f"The {word} again."))
            with store.writing(NOON) as tx:
                tx.links.put(Link(src=memory_id(1), dst=memory_id(2), kind="about"))
                tx.sessions.put(a_session())
                tx.anchors.spans.put(a_span())
    return theirs, ours


@requirement("tenant.isolated-by-database")
def test_every_table_has_forced_row_security_with_a_check() -> None:
    with connected(role=OWNER) as connection:
        rows = connection.execute(
            "SELECT c.relname, c.relrowsecurity AND c.relforcerowsecurity,"
            "       count(p.polname) FILTER (WHERE p.polqual IS NOT NULL"
            "                                  AND p.polwithcheck IS NOT NULL),"
            "       count(p.polname)"
            "  FROM pg_class c LEFT JOIN pg_policy p ON p.polrelid = c.oid"
            " WHERE c.relnamespace = 'holdfast'::regnamespace AND c.relkind IN ('r', 'p')"
            " GROUP BY 1, 2"
        ).fetchall()

    unsafe = [row for row in rows if row[0] not in GLOBAL_TABLES and row[1:] != (True, 1, 1)]
    assert unsafe == []
    assert len(rows) == len(tables()) > len(GLOBAL_TABLES)


@requirement("tenant.isolated-by-database")
def test_every_key_begins_with_the_tenant() -> None:
    with connected(role=OWNER) as connection:
        rows = connection.execute(
            "SELECT k.conrelid::regclass::text, k.conname"
            "  FROM pg_constraint k"
            "  JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = k.conkey[1]"
            " WHERE k.connamespace = 'holdfast'::regnamespace AND k.contype IN ('p', 'u', 'f')"
            "   AND a.attname <> 'tenant_id'"
        ).fetchall()
        indexes = connection.execute(
            "SELECT i.indexrelid::regclass::text FROM pg_index i"
            "  JOIN pg_class c ON c.oid = i.indrelid"
            "  JOIN pg_class x ON x.oid = i.indexrelid JOIN pg_am am ON am.oid = x.relam"
            "  LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]"
            " WHERE c.relnamespace = 'holdfast'::regnamespace AND am.amname = 'btree'"
            "   AND a.attname IS DISTINCT FROM 'tenant_id'"
        ).fetchall()

    assert rows == [("schema_version", "schema_version_pkey")]
    assert indexes == [("schema_version_pkey",)]


@requirement("tenant.isolated-by-database")
def test_a_view_shows_only_what_its_reader_may_see() -> None:
    with connected(role=OWNER) as connection:
        rows = connection.execute(
            "SELECT relname FROM pg_class WHERE relnamespace = 'holdfast'::regnamespace"
            " AND (relkind = 'm' OR relkind = 'v' AND NOT coalesce("
            "      'security_invoker=true' = ANY (reloptions), false))"
        ).fetchall()
        definers = connection.execute(
            "SELECT proname FROM pg_proc"
            " WHERE pronamespace = 'holdfast'::regnamespace AND prosecdef"
        ).fetchall()

    assert rows == []
    assert definers == []


@requirement("tenant.isolated-by-database")
def test_the_application_role_owns_nothing_and_cannot_truncate() -> None:
    with connected() as connection:
        owned = connection.execute(
            "SELECT count(*) FROM pg_class WHERE pg_has_role(current_user, relowner, 'MEMBER')"
        ).fetchone()
        rights = connection.execute(
            "SELECT c.relname FROM pg_class c"
            " WHERE c.relnamespace = 'holdfast'::regnamespace AND c.relkind IN ('r', 'p')"
            "   AND (has_table_privilege(c.oid, 'TRUNCATE')"
            "        OR has_table_privilege(c.oid, 'REFERENCES')"
            "        OR has_table_privilege(c.oid, 'TRIGGER'))"
        ).fetchall()

    assert owned == (0,)
    assert rights == []


@requirement("tenant.isolated-by-database")
@pytest.mark.parametrize("role", [APP, OWNER])
def test_no_table_shows_a_row_without_a_tenant(lived_in: tuple[UUID, UUID], role: str) -> None:
    del lived_in
    with connected(role=role) as connection:
        seen = {
            table: connection.execute(
                sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier(table))
            ).fetchone()
            for table in tables(partitions=role == OWNER)
            if table not in GLOBAL_TABLES
        }

    listed = seen.pop("tenant")
    assert set(seen.values()) == {(0,)}
    assert (listed != (0,)) is (role == OWNER), "the owner lists tenants, and nothing of theirs"


@requirement("tenant.isolated-by-database")
def test_a_partition_is_reached_only_through_its_table(lived_in: tuple[UUID, UUID]) -> None:
    theirs, _ = lived_in
    parts = [name for name in tables() if name not in tables(partitions=False)]

    with connected(theirs, store_of(theirs)) as connection:
        for name in parts:
            refused = pytest.raises(psycopg.errors.InsufficientPrivilege)
            with refused, connection.transaction():
                connection.execute(sql.SQL("SELECT 1 FROM {}").format(sql.Identifier(name)))
        used = connection.execute("SELECT DISTINCT tableoid FROM memory_term").fetchall()

    assert len(parts) == 3 * PARTITIONS
    assert len(used) == 1


@requirement("tenant.isolated-by-database")
def test_a_setting_of_one_transaction_is_gone_in_the_next(lived_in: tuple[UUID, UUID]) -> None:
    theirs, _ = lived_in
    store = store_of(theirs)
    with connected(theirs, store) as connection:
        assert connection.execute("SELECT count(*) FROM memory").fetchone() == (2,)
        connection.commit()
        connection.execute("SET LOCAL search_path TO holdfast, public")

        assert connection.execute("SELECT count(*) FROM memory").fetchone() == (0,)


@requirement("tenant.isolated-by-database")
@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO common_term (tenant_id, term, share) VALUES (%(them)s, 'x', 1)",
        "INSERT INTO common_term (store_id, term, share) VALUES (%(store)s, 'x', 1)",
        "INSERT INTO memory_stores (tenant_id, store_name) VALUES (%(them)s, 'planted')",
        "UPDATE memory SET tenant_id = %(them)s",
        "UPDATE memory_standing SET store_id = %(store)s",
        "UPDATE memory_stores SET tenant_id = %(them)s",
        "TRUNCATE memory CASCADE",
        "ALTER TABLE memory DISABLE ROW LEVEL SECURITY",
        "DROP POLICY isolation ON memory",
        "CREATE TABLE stolen AS SELECT * FROM memory",
        "SET SESSION AUTHORIZATION hf_owner",
        "SET ROLE hf_owner",
    ],
)
def test_nothing_is_written_into_another_tenant(
    lived_in: tuple[UUID, UUID], statement: str
) -> None:
    theirs, ours = lived_in
    their_store = store_of(theirs)

    with connected(ours, store_of(ours)) as connection, pytest.raises(psycopg.Error):
        connection.execute(statement.encode(), {"them": str(theirs), "store": their_store})

    with closing(opened(theirs)) as store:
        assert found(store, Selection()) == [memory_id(1), memory_id(2)]


@requirement("tenant.isolated-by-database")
def test_deleting_everything_deletes_only_our_own(lived_in: tuple[UUID, UUID]) -> None:
    theirs, ours = lived_in
    with connected(ours, store_of(ours)) as connection:
        for table in ("memory_link", "memory_standing", "memory_term", "memory"):
            connection.execute(sql.SQL("DELETE FROM {}").format(sql.Identifier(table)))
        connection.commit()

    with closing(opened(theirs)) as store:
        assert hits(store, "walrus") == [memory_id(1), memory_id(2)]


@requirement("tenant.links-within-one-tenant")
def test_a_link_to_a_foreign_memory_is_refused_like_one_to_nothing(
    lived_in: tuple[UUID, UUID],
) -> None:
    theirs, ours = lived_in
    with closing(opened(theirs)) as store:
        keep(store, numbered(7))
    refusals = []

    with closing(opened(ours)) as store:
        for target in (memory_id(7), memory_id(8)):
            with pytest.raises(NoSuchError) as refusal, store.writing(NOON) as tx:
                tx.links.put(Link(src=memory_id(1), dst=target, kind="about"))
            refusals.append(str(refusal.value).replace(target, "X"))
    with connected(ours, store_of(ours)) as connection:
        for target in (memory_id(7), memory_id(8)):
            foreign = pytest.raises(psycopg.errors.ForeignKeyViolation)
            with foreign as refused, connection.transaction():
                connection.execute(
                    "INSERT INTO memory_link (src, dst, kind, score, salt, row_hash)"
                    " VALUES (%s, %s, 'x', 0, '', sha256(''))",
                    (memory_id(1), target),
                )
            refusals.append(str(refused.value).splitlines()[0])

    assert refusals[0] == refusals[1]
    assert refusals[2] == refusals[3]


@requirement("tenant.isolated-by-database")
def test_two_tenants_use_the_same_ids_and_see_only_their_own(lived_in: tuple[UUID, UUID]) -> None:
    theirs, ours = lived_in

    with closing(opened(theirs)) as store:
        assert (hits(store, "walrus"), hits(store, "seal")) == ([memory_id(1), memory_id(2)], [])
    with closing(opened(ours)) as store:
        assert (hits(store, "walrus"), hits(store, "seal")) == ([], [memory_id(1), memory_id(2)])


@requirement("tenant.isolated-by-database")
def test_two_spaces_of_a_tenant_see_only_their_own() -> None:
    tenant = uuid4()
    with closing(opened(tenant, "one")) as one, closing(opened(tenant, "two")) as two:
        keep(one, numbered(1, claim="A walrus."))
        keep(two, numbered(1, claim="A seal."))

        assert (hits(one, "walrus"), hits(one, "seal")) == ([memory_id(1)], [])
        assert (hits(two, "walrus"), hits(two, "seal")) == ([], [memory_id(1)])
