"""The schema on a server: made by numbered migrations alone, and the same queries by name."""

from __future__ import annotations

from pathlib import Path

import psycopg
import pytest

from holdfast.adapters.postgres.asking import SQL, migrations
from holdfast.adapters.postgres.care.migrating import upgrade
from holdfast.adapters.postgres.database.address import read_address
from holdfast.adapters.postgres.database.batching import SETS
from holdfast.adapters.postgres.database.connecting import LATEST
from holdfast.adapters.postgres.recall.keywords import STEPS
from holdfast.adapters.sqlite.queries import MIGRATIONS
from tests.postgres_server import OWNER, READY, server
from tests.requirements import requirement

FOLDER = Path(MIGRATIONS).parent
FILE_ONLY = {
    "badge.sql": "the badge reads the file without the engine",
    "checking.sql": "pages, indexes and FTS5 of the file",
    "connection.sql": "pragmas",
    "rescuing.sql": "the repair of a damaged file",
    "scanning.sql": "the server reads a table by a cursor, not in ranges of numbers",
    "schema.sql": "the server has migrations only",
    "watching.sql": "hooks read the file without the engine",
    "words.sql": "FTS5",
}
"""The files whose queries may differ, and why."""
FILE_ONLY_QUERIES = {
    "put_embedding": "the repair of a file",
    "put_usage": "the repair of a file",
    "embedding_change_at": "a vector index beside the file",
    "statuses_of": "bundles that wait beside the file",
    **dict.fromkeys(
        ("put_said_vectors", "said_vectors_in", "said_vectors_of"),
        "the server compares the vectors of turns",
    ),
}


def catalogue(database: str) -> dict[str, object]:
    """Return every column, constraint, index, policy, right and function of the schema."""
    queries = {
        "columns": "SELECT table_name, column_name, data_type, is_nullable, column_default,"
        " collation_name FROM information_schema.columns WHERE table_schema = 'holdfast'",
        "constraints": "SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid)"
        " FROM pg_constraint WHERE connamespace = 'holdfast'::regnamespace",
        "indexes": "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'holdfast'",
        "policies": "SELECT tablename, policyname, permissive, roles::text, cmd, qual, with_check"
        " FROM pg_policies WHERE schemaname = 'holdfast'",
        "rights": "SELECT relname, relacl::text, relrowsecurity, relforcerowsecurity FROM pg_class"
        " WHERE relnamespace = 'holdfast'::regnamespace",
        "functions": "SELECT proname, pg_get_functiondef(oid) FROM pg_proc"
        " WHERE pronamespace = 'holdfast'::regnamespace",
    }
    with psycopg.connect(server().url(database, OWNER)) as connection:
        return {
            name: sorted(map(repr, connection.execute(query.encode()).fetchall()))
            for name, query in queries.items()
        }


@requirement("store.schema-is-migrations")
def test_a_schema_made_step_by_step_is_the_same_as_one_made_at_once() -> None:
    name = server().new_database()
    for number in range(1, LATEST + 1):
        upgrade(read_address(server().url(name, OWNER)), until=number)

    assert len(migrations()) == LATEST
    assert catalogue(name) == catalogue(READY)


@requirement("store.backends-agree")
@pytest.mark.parametrize("file", sorted(path.name for path in FOLDER.glob("*.sql")))
def test_both_dialects_hold_the_same_queries(file: str) -> None:
    named = {
        line.removeprefix("-- name: ").strip()
        for line in (FOLDER / file).read_text(encoding="utf-8").splitlines()
        if line.startswith("-- name: ")
    }

    missing = named - set(SQL) - set(STEPS) - set(SETS) - set(FILE_ONLY_QUERIES)

    assert not missing or file in FILE_ONLY, missing
