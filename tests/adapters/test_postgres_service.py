"""The tables of the memory service, read with SQL under their usual names."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from hashlib import md5
from pathlib import Path
from uuid import UUID, uuid4

import psycopg
import pytest
from psycopg.rows import dict_row

from holdfast import MemoryService
from holdfast.adapters.postgres.care.inspecting import inspect_database
from holdfast.adapters.postgres.care.migrating import upgrade
from holdfast.adapters.postgres.database.address import read_address
from holdfast.adapters.postgres.service_stores import PostgresServiceStores
from holdfast.domain.database_errors import RoleTooStrongError
from holdfast.domain.ids import MemoryId
from holdfast.domain.service.ids import StoreId, read_owner, uuid_of
from holdfast.domain.version_errors import StoreUpgradedError
from tests.postgres_server import APP, OWNER, server
from tests.requirements import requirement
from tests.service_model import models

READER, REPORT = "holdfast_reader", "hf_report"
CAT, RATES = "The cat slept on the mat.", "Interest rates rose by half a percent in march."
SEARCH = """
    SELECT id, content, memory_type, source, importance, metadata,
           1 - (embedding <=> (SELECT embedding FROM memories WHERE id = %(near)s)) AS similarity
      FROM memories
     WHERE store_id = %(store)s AND (expires_at IS NULL OR expires_at > now())
       AND 1 - (embedding <=> (SELECT embedding FROM memories WHERE id = %(near)s)) >= 0.99
     ORDER BY similarity DESC LIMIT 5
"""
RELATED = """
    SELECT m.*, mr.relationship_type, mr.strength
      FROM memory_relationships mr JOIN memories m ON mr.target_memory_id = m.id
     WHERE mr.source_memory_id = %(near)s ORDER BY mr.strength DESC LIMIT 5
"""
COUNTS = (
    "SELECT count(*) FROM memory_stores WHERE id = %(store)s",
    "SELECT count(*) FROM memories WHERE store_id = %(store)s",
    "SELECT count(*) FROM memory_relationships WHERE store_id = %(store)s",
)
ONE = "SELECT * FROM memories WHERE id = %(near)s"
STORES = "SELECT * FROM memory_stores WHERE id = %(store)s"


@pytest.fixture(autouse=True)
def _own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOLDFAST_MODELS", models())
    monkeypatch.setenv("HOLDFAST_HOME", str(tmp_path / "home"))


@pytest.fixture(scope="module")
def database() -> Iterator[str]:
    """A database with the role for people's own SQL; other tests find neither."""
    server().run(f"CREATE ROLE {READER} NOLOGIN", f"CREATE ROLE {REPORT} LOGIN IN ROLE {READER}")
    name = server().new_database()
    said = upgrade(read_address(server().url(name, OWNER)))
    assert "holdfast_reader" in said[-1]
    assert upgrade(read_address(server().url(name, OWNER))) == []
    yield name
    server().run(f"DROP DATABASE {name} WITH (FORCE)", f"DROP ROLE {REPORT}, {READER}")


@contextmanager
def connected(
    database: str, role: str, tenant: object, store: str = ""
) -> Generator[psycopg.Connection, None, None]:
    with psycopg.connect(server().url(database, role)) as connection:
        connection.execute("SET LOCAL search_path TO holdfast, public")
        if tenant is not None:
            connection.execute(
                "SELECT set_config('app.current_tenant_id', %s, true),"
                " set_config('app.current_store_id', %s, true)",
                (str(tenant), store),
            )
        yield connection
        connection.rollback()


class Kept:
    """A store of a tenant with two related memories."""

    def __init__(self, database: str) -> None:
        self.tenant, self.user = uuid4(), uuid4()
        with MemoryService(server().url(database)) as service:
            self.store = service.get_or_create_store(str(self.tenant), str(self.user), "work")
            self.cat = service.add_memory(self.store, CAT, "preference", "chat", 0, {"turn": 4})
            self.rates = service.add_memory(self.store, RATES)
            service.add_relationship(self.cat, self.rates, "RELATED_TO", 0.25)
            assert len(service.search_memories(self.store, CAT, 1)) == 1
            service.get_or_create_store(str(self.tenant), str(self.user), "work")
        self.values = {"near": UUID(self.cat), "store": UUID(self.store)}


@requirement("service.sql-names")
@pytest.mark.parametrize("role", [APP, REPORT])
def test_the_usual_sql_reads_stores_memories_and_relationships(database: str, role: str) -> None:
    kept = Kept(database)
    store = kept.store if role == APP else ""

    with connected(database, role, kept.tenant, store) as connection:
        by_name = connection.cursor(row_factory=dict_row)
        (found,) = by_name.execute(SEARCH, kept.values).fetchall()
        (related,) = by_name.execute(RELATED, kept.values).fetchall()
        (row,) = by_name.execute(STORES, kept.values).fetchall()
        (cat,) = by_name.execute(ONE, kept.values).fetchall()

    assert found["content"] == CAT
    assert (found["memory_type"], found["source"], found["importance"]) == ("preference", "chat", 0)
    assert (found["metadata"], round(found["similarity"], 3)) == ({"turn": 4}, 1.0)
    assert (cat["access_count"], cat["expires_at"]) == (1, None)
    assert cat["created_at"] <= cat["last_accessed"]
    assert (related["id"], related["relationship_type"]) == (UUID(kept.rates), "RELATED_TO")
    assert (related["strength"], related["source"], related["memory_type"]) == (0.25, None, "fact")
    assert (row["tenant_id"], row["user_id"], row["store_name"]) == (
        kept.tenant,
        kept.user,
        "work",
    )
    assert (row["total_memories"], row["embedding_model"][:6]) == (2, "minilm")
    assert row["created_at"] <= row["last_accessed"]


@requirement("service.sql-names")
@pytest.mark.parametrize("role", [APP, REPORT])
@pytest.mark.parametrize("tenant", [None, "", uuid4()])
def test_another_tenant_sees_nothing(database: str, role: str, tenant: object) -> None:
    kept = Kept(database)

    with connected(database, role, tenant, kept.store) as connection:
        for query in (SEARCH, RELATED, STORES):
            assert connection.execute(query, kept.values).fetchall() == []
        for query in COUNTS:
            assert connection.execute(query, kept.values).fetchone() == (0,)


@requirement("service.sql-names")
def test_a_reader_changes_nothing(database: str) -> None:
    kept = Kept(database)

    for statement in (
        "DELETE FROM memory",
        "UPDATE memory_usage SET access_count = 9",
        "UPDATE memory_stores SET total_memories = 9",
        "DELETE FROM memories",
        "INSERT INTO memory_link (src, dst, kind) VALUES ('a', 'b', 'c')",
    ):
        with (
            connected(database, REPORT, kept.tenant, kept.store) as connection,
            pytest.raises(psycopg.Error, match="permission denied|cannot delete from view"),
        ):
            connection.execute(statement.encode())


@requirement("tenant.strong-role-refused")
def test_the_application_is_refused_as_a_reader(database: str) -> None:
    role = f"r_{uuid4().hex}"
    server().run(f"CREATE ROLE {role} LOGIN IN ROLE holdfast_app, {READER}")

    with pytest.raises(RoleTooStrongError, match="reads every store of a tenant"):
        MemoryService(server().url(database, role))


@requirement("server.isolation-checked")
def test_the_check_accepts_the_policies_for_readers_and_no_others(database: str) -> None:
    address = read_address(server().url(database))
    before = {one.check: one.message for one in inspect_database(address)}

    server().run(
        "CREATE POLICY wide ON holdfast.memory_link FOR SELECT USING (true)",
        database=database,
        role=OWNER,
    )
    after = {one.check: one.message for one in inspect_database(address)}
    server().run("DROP POLICY wide ON holdfast.memory_link", database=database, role=OWNER)

    assert "keeps tenants apart" in before["isolation"]
    assert "memory_link" in after["isolation"]


@requirement("service.ids-are-uuids")
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("m_" + "0" * 26, "00000000-0000-0000-0000-000000000000"),
        ("m_7" + "z" * 25, "ffffffff-ffff-ffff-ffff-ffffffffffff"),
        ("m_hand_written", str(UUID(md5(b"m_hand_written", usedforsecurity=False).hexdigest()))),
    ],
)
def test_the_database_spells_ids_as_the_program_does(
    database: str, name: str, expected: str
) -> None:
    with connected(database, APP, uuid4()) as connection:
        row = connection.execute("SELECT memory_uuid(%s)::text", (name,)).fetchone()

    assert row == (uuid_of(MemoryId(name)),) == (expected,)


def test_stores_survive_a_lost_connection_and_notice_an_upgrade() -> None:
    name = server().new_database()
    upgrade(read_address(server().url(name, OWNER)))
    stores = PostgresServiceStores(server().url(name), connections=2, wait_seconds=60)
    owner = read_owner("acme", "ada", "default")
    stores.add(owner)

    server().run(
        f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"  # noqa: S608 - a name of our own
    )

    assert stores.owner_of(owner.store_id, tenants=[owner.tenant]) == owner
    assert stores.beginning(owner.store_id[:8], tenants=[owner.tenant]) == (owner,)
    assert stores.owner_of(StoreId(str(uuid4())), tenants=[owner.tenant]) is None
    server().run(
        "INSERT INTO holdfast.schema_version (number, readable_from) VALUES (99, 1)",
        database=name,
        role=OWNER,
    )
    with pytest.raises(StoreUpgradedError):
        stores.add(owner)
    assert stores.owner_of(owner.store_id, tenants=[owner.tenant]) == owner
    stores.close()
    server().run(f"DROP DATABASE {name} WITH (FORCE)")
