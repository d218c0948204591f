"""The people who run a database: its tenants, its size, its backups, its distribution."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

from holdfast import MemoryService
from holdfast.adapters.postgres.care.entering import Entered
from holdfast.adapters.postgres.care.tenants import create_tenant, remove_tenant
from holdfast.adapters.postgres.database.address import read_address
from holdfast.adapters.postgres.store import PostgresOptions, PostgresStore
from holdfast.adapters.sqlite.database.rows import Row, Value
from holdfast.bootstrap.plugs.addresses import tenant_of
from holdfast.domain.access_errors import NoSuchStoreError
from holdfast.domain.memory.place import SpaceId
from tests.builders import NOON
from tests.cli.program import Program
from tests.cli.test_named_paths import BUG, LONGEST_ERROR, make_odd_paths
from tests.cli.test_terminal import at_terminal
from tests.hook.caller import keep
from tests.postgres_server import APP, OWNER, READY, server
from tests.requirements import requirement


@pytest.fixture(scope="module")
def database() -> str:
    """A database for these tests, so that no other test adds tenants to it."""
    return server().new_database(READY)


@pytest.fixture
def app(newcomer: Program, database: str) -> Program:
    return replace(newcomer, extra={"HOLDFAST_STORE": server().url(database)})


@pytest.fixture
def owner(newcomer: Program, database: str) -> Program:
    return replace(newcomer, extra={"HOLDFAST_STORE": server().url(database, OWNER)})


def of(program: Program, tenant: str) -> Program:
    return replace(program, extra={**program.extra, "HOLDFAST_TENANT": tenant})


@requirement("tenant.listed-by-the-owner")
def test_a_tenant_of_the_memory_service_has_its_name(
    app: Program, owner: Program, database: str
) -> None:
    by_id = str(uuid4())
    with MemoryService(server().url(database)) as service:
        for tenant in ("by service", str(tenant_of("named later")), by_id):
            service.get_or_create_store(tenant, "ada")
        service.get_or_create_store("named later", "ada")
        service.get_or_create_store("by service", "grace")
    keep(of(app, str(tenant_of("after all"))), "A seal sleeps here.")
    app("tenant", "create", "after all").well()

    listed = owner("tenant", "list", "--json").well().json["tenants"]

    names = {one["id"]: one["name"] for one in listed}
    for name in ("by service", "named later", "after all"):
        assert names[str(tenant_of(name))] == name
    assert names[by_id] == ""


@requirement("init.new-is-called-new")
def test_a_new_store_of_a_tenant_is_called_new(app: Program) -> None:
    made = of(app, "newly made")

    first = made("init", "--no-model", "--json").well().json
    again = made("init", "--no-model").well()

    assert first["created"] is True
    assert "The store already exists" in again.out


@requirement("tenant.listed-by-the-owner")
def test_the_owner_lists_all_tenants_and_others_only_their_own(
    app: Program, owner: Program
) -> None:
    keep(of(app, "acme"), "A walrus sleeps here.")
    created = app("tenant", "create", "other", "--json").well().json
    again = app("tenant", "create", "other").well().out

    listed = owner("tenant", "list", "--json").well().json["tenants"]
    seen = of(app, "acme")("tenant", "list", "--json").well().json["tenants"]

    assert created["created"]
    assert "was there already" in again
    memories = {one["name"]: one["memories"] for one in listed}
    assert (memories["acme"], memories["other"]) == (1, 0)
    assert [one["name"] for one in seen] == ["acme"]
    assert "acme" not in of(app, "nobody")("tenant", "list").well().out
    assert created["tenant"]["id"] in owner("tenant", "list").well().out


@requirement("tenant.delete-leaves-nothing")
def test_a_deleted_tenant_leaves_no_row_and_others_keep_theirs(app: Program, database: str) -> None:
    gone, kept = of(app, "gone"), of(app, "kept")
    for one in (gone, kept):
        first = keep(one, "A walrus sleeps here.")
        keep(one, "The port is 8080.", "fact")
        one("recall", "walrus").well()
        one("pin", first).well()
    keep(replace(gone, extra={**gone.extra, "HOLDFAST_SPACE": "second"}), "A second space.")
    shown = app("tenant", "delete", "gone", "--dry-run").well()
    refused = app("tenant", "delete", "gone")

    done = app("tenant", "delete", "gone", "--yes", "--json").well().json

    assert ("3 memories in 2 spaces" in shown.out, refused.code) == (True, 2)
    assert (done["removed"], done["deleted"]["memory"]) == (True, 3)
    assert done["tables_checked"] > 30
    assert rows_of(database, done["tenant"]["id"]) == 0
    assert "walrus" in kept("list").well().out
    missing = app("tenant", "delete", "gone", "--yes")
    assert (missing.code, "no tenant 'gone'" in missing.err) == (3, True)


def rows_of(database: str, tenant: str) -> int:
    """Count the rows of a tenant in every table and partition, past row level security."""
    with psycopg.connect(server().url(database, "postgres")) as connection:
        tables = connection.execute(
            "SELECT c.oid::regclass::text FROM pg_class c"
            " JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant_id'"
            " WHERE c.relnamespace = 'holdfast'::regnamespace AND c.relkind IN ('r', 'p')"
        ).fetchall()
        counts = [
            connection.execute(
                f"SELECT count(*) FROM {name} WHERE tenant_id = %s".encode(),  # noqa: S608
                (tenant,),
            ).fetchall()[0][0]
            for (name,) in tables
        ]
    assert len(counts) > 50
    return sum(counts)


@requirement("tenant.delete-leaves-nothing")
@requirement("tenant.delete-leaves-nothing")
def test_the_statements_of_a_removal_do_not_grow_with_the_stores(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = read_address(server().url(database))
    asked: list[str] = []
    rows = Entered.rows

    def counted(entered: Entered, name: str, *values: Value | list[str]) -> list[Row]:
        asked.append(name)
        return rows(entered, name, *values)

    monkeypatch.setattr(Entered, "rows", counted)
    counts = []
    for stores in (2, 60):
        tenant = uuid4()
        create_tenant(address, tenant, "many")
        for number in range(stores):
            options = PostgresOptions(tenant=tenant, space=SpaceId(f"s{number}"))
            PostgresStore.open(server().url(database), options).close()
        asked.clear()
        removed = remove_tenant(address, tenant, "many")
        counts.append(len(asked))
        assert dict(removed.deleted)["memory_stores"] == stores + 1
        assert rows_of(database, str(tenant)) == 0

    assert counts[0] == counts[1]


def test_the_functions_of_a_removal_know_every_table_of_a_store(database: str) -> None:
    with psycopg.connect(server().url(database, OWNER)) as connection:
        tables = connection.execute(
            "SELECT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid"
            " AND a.attname = 'store_id' WHERE c.relnamespace = 'holdfast'::regnamespace"
            " AND c.relkind IN ('r', 'p') AND NOT c.relispartition"
        ).fetchall()
        for function in ("remove_stores", "left_in_stores"):
            query = "SELECT prosrc FROM pg_proc WHERE proname = %s"
            (source,) = connection.execute(query, (function,)).fetchall()[0]
            assert [name for (name,) in tables if f"holdfast.{name} " not in source] == []


def test_a_person_is_asked_before_a_tenant_is_removed(app: Program) -> None:
    app("tenant", "create", "asked").well()

    done = at_terminal(app, "tenant", "delete", "asked", typed="n\n")

    assert (done.code, "Remove this tenant permanently?" in done.out + done.err) == (1, True)
    assert "asked" in of(app, "asked")("tenant", "list").well().out


@requirement("tenant.delete-leaves-nothing")
def test_a_store_of_a_removed_tenant_says_so(app: Program, database: str) -> None:
    store = PostgresStore.open(server().url(database), PostgresOptions(tenant=tenant_of("late")))
    app("tenant", "delete", "late", "--yes").well()

    with closing(store), pytest.raises(NoSuchStoreError), store.writing(NOON):
        pytest.fail("the unit of work began")


@requirement("tenant.export-is-whole")
def test_an_export_of_a_tenant_has_a_file_for_each_space(app: Program, tmp_path: Path) -> None:
    acme = of(app, "moving")
    keep(acme, "A walrus sleeps here.")
    keep(replace(acme, extra={**acme.extra, "HOLDFAST_SPACE": "second"}), "A second space.")

    with MemoryService(app.extra["HOLDFAST_STORE"]) as service:
        store = service.get_or_create_store("moving", "ada")

    done = app("tenant", "export", "moving", str(tmp_path / "out"), "--json").well().json

    files = {Path(one["file"]).name: Path(one["file"]).read_text() for one in done["files"]}
    assert sorted(files) == sorted(["default.jsonl", "second.jsonl", f"{store}.jsonl"])
    assert "walrus" in files["default.jsonl"]
    assert "walrus" not in files["second.jsonl"]
    fresh = of(app, uuid4().hex)
    fresh("import", str(tmp_path / "out" / "default.jsonl")).well()
    assert "walrus" in fresh("list", "--all").well().out
    (tmp_path / "file").write_text("x")
    assert app("tenant", "export", "moving", str(tmp_path / "file")).code == 6


@requirement("cli.named-paths")
def test_no_folder_of_an_export_of_a_tenant_is_a_bug(app: Program, tmp_path: Path) -> None:
    keep(of(app, "odd"), "A seal swims here.")

    found = {
        name: app("tenant", "export", "odd", path)
        for name, path in make_odd_paths(tmp_path).items()
    }

    assert [(name, one.err) for name, one in found.items() if one.code == BUG] == []
    assert [name for name, one in found.items() if "Traceback" in one.err] == []
    assert [name for name, one in found.items() if len(one.err) > LONGEST_ERROR] == []


@requirement("server.stats")
def test_the_figures_of_a_database_are_shown(app: Program, owner: Program) -> None:
    keep(of(app, "acme"), "A walrus sleeps here.")

    shown = owner("db", "stats").well().out
    stats = of(app, uuid4().hex)("db", "stats", "--json").well().json

    assert "memory_term" in shown
    # Nobody has analysed the tables yet.
    assert max(one["rows"] for one in owner("db", "stats", "--json").well().json["tables"]) > 0
    assert "acme" in shown
    assert {one["name"] for one in stats["tables"]} >= {"memory", "memory_term", "event"}
    assert all(one["table_bytes"] >= 0 for one in stats["tables"])
    assert stats["most_connections"] == 200
    assert [one["name"] for one in stats["tenants"]] == []


@requirement("server.backup-advice")
def test_the_advice_names_what_is_missing(app: Program) -> None:
    advice = app("db", "backup-advice")

    assert advice.code == 0
    assert "fsync is off" in advice.out
    assert "archive_mode is off" in advice.out
    assert "No replica" in advice.out


@requirement("server.keys-carry-the-tenant")
def test_the_check_finds_a_key_without_the_tenant(newcomer: Program) -> None:
    database = server().new_database()
    newcomer("db", "upgrade", "--store", server().url(database, OWNER)).well()
    assert "carries the tenant" in newcomer("db", "check", "--store", server().url(database)).out
    server().run(
        "ALTER TABLE holdfast.session ADD CONSTRAINT loose UNIQUE (id)",
        "CREATE UNIQUE INDEX looser ON holdfast.run (id)",
        "ALTER TABLE holdfast.interaction ADD CONSTRAINT loosest FOREIGN KEY (session_id)"
        " REFERENCES holdfast.session (id)",
        database=database,
    )

    done = newcomer("db", "check", "--store", server().url(database))

    assert done.code == 6
    assert all(name in done.out for name in ("loose", "looser", "loosest"))


@requirement("server.keys-carry-the-tenant")
def test_the_script_for_citus_has_every_table_after_those_it_refers_to(owner: Program) -> None:
    script = owner("db", "citus").well().out.splitlines()
    as_json = owner("db", "citus", "--json").well().json["statements"]

    assert as_json == script
    with psycopg.connect(server().url(READY, APP)) as connection:
        tables = connection.execute(
            "SELECT relname FROM pg_class WHERE relnamespace = 'holdfast'::regnamespace"
            " AND relkind IN ('r', 'p') AND NOT relispartition"
        ).fetchall()
    named = [line.split("'holdfast.")[1].split("'")[0] for line in script if "create_" in line]
    assert sorted(named) == sorted(name for (name,) in tables)
    assert named[:2] == ["schema_version", "memory_stores"]
    assert named.index("memory") < named.index("memory_standing")
    assert named.index("embedding_model") < named.index("embedding") < named.index("embedding_part")


@pytest.mark.parametrize("words", [("create", " "), ("delete", "", "--yes")])
def test_a_tenant_needs_a_name(app: Program, words: tuple[str, ...]) -> None:
    assert app("tenant", *words).code == 2


@requirement("server.older-programs-read")
def test_an_older_program_answers_and_writes_nothing(newcomer: Program) -> None:
    name = server().new_database(READY)
    program = replace(newcomer, extra={"HOLDFAST_STORE": server().url(name)})
    keep(program, "A walrus sleeps here.")
    server().run(
        "INSERT INTO holdfast.schema_version (number, readable_from)"
        " SELECT max(number) + 1, max(number) FROM holdfast.schema_version",
        database=name,
    )

    recalled = program("recall", "where does the walrus sleep", "--json").well().json
    listed = program("list", "--json").well().json["memories"]
    refused = program("remember", "--because", "seen", "A seal sleeps here.")
    checked = program("db", "check")

    assert [one["memory_id"] for one in recalled["items"]] == [listed[0]["id"]]
    assert "not stored" in " ".join(recalled["notes"])
    assert (refused.code, "upgrade Holdfast" in refused.err) == (6, True)
    assert (checked.code, "it only reads" in checked.out) == (1, True)
    assert program("list", "--json").well().json["memories"] == listed
