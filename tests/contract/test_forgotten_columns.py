"""Forgetting looks through every column that holds text or bytes, or the column says why not."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import psycopg

from holdfast.adapters.sqlite.store import SqliteStore
from tests.postgres_server import OWNER, READY, server
from tests.requirements import requirement

TEXTUAL = {
    "TEXT",
    "BLOB",
    "",
    "text",
    "bytea",
    "json",
    "jsonb",
    "tsvector",
    "ARRAY",
    "USER-DEFINED",
}
SEARCHED = {
    *("memory.value", "memory.key", "memory.tags", "memory.metadata", "memory.source_json"),
    *("memory_standing.reason", "memory_evidence.source_json", "tombstone.reason"),
    *("interaction.query", "interaction.notes", "bundle.body", "decision.body", "run.body"),
    *("run_step.body", "session_record.body", "said.body", "reply.body", "task.body"),
    *("agent.directives", "agent.config", "action_proposal.body", "action_result.body"),
    *("workspace_snapshot.body", "document.body"),
}
"""The columns with sentences: forgetting replaces the text there, or names the place."""
DERIVED = {
    "memory_parts": "words of a memory, removed with it",
    "memory_fts": "words of a memory, removed with it and compacted",
    "memory_term": "words of a memory, removed with it",
    "memories": "a view of the memories",
    "memory_relationships": "a view of the links",
    "memory_stores": "the names of stores and their models",
    "common_term": "counts of words",
    "memory_tag": "tags of a memory, removed with it",
    "memory_name": "key and title of a memory, removed with it",
    "memory_band": "hashes of a memory, removed with it",
    "embedding": "vectors of a memory, removed with it",
    "embedding_part": "vectors of a memory, removed with it",
    "said_place": "where a turn is, written again with the turn",
    "said_word": "words of a turn, written again with the turn",
    "said_vector": "vectors of a turn, removed when the turn changes",
    "task_index": "fields of a task, written again with the task",
    "ciphertext": "encrypted, removed with its record",
    "meta": "facts about the store",
    "migration": "facts about the schema",
}
"""Whole tables that only repeat others, or have no words of anybody."""
NAMES = {
    *("id", "name", "kind", "space", "workspace", "scope", "repo", "branch", "origin", "trust"),
    *("source", "status", "label", "superseded_by", "decided_by", "forgotten_by", "memory_id"),
    *("src", "dst", "tool", "user", "session_id", "bundle_id", "path", "action", "subject"),
    *("span_id", "thread", "space", "weights", "head", "old", "new", "how", "may", "host"),
    *("root", "snapshot", "content", "task", "depends_on", "external", "agent_id", "namespace"),
    *(
        "job",
        "state",
        "worker",
        "made_by",
        "token",
        "holder",
        "run_id",
        "collection",
        "key",
        "model",
    ),
}
"""Columns with an id, a choice, a path or a short name; none of them takes a sentence."""
BYTES = {
    *("salt", "row_hash", "content_hash", "near_hash", "text_hash", "digest", "previous", "hash"),
    *("secret_hash", "request_hash", "manifest"),
}
"""Columns with hashes, salted where a guess could be compared with them."""
OTHERS = {
    "workspace.body": "the name of a workspace and the id of its snapshot",
    "span_anchor.body": "hashes of lines and commits",
    "job_part.payload": "lines that an import has not read yet; emptied when it ends",
    "job_part.problem": "why Holdfast could not read such lines",
    "tuning.note": "a sentence of Holdfast about a change of weights",
}
OWN_TABLES = ("sqlite_", "memory_fts_")


def unexplained(columns: dict[str, str]) -> set[str]:
    """Return the columns that are neither looked through nor exempt."""
    found = set()
    for column, kind in columns.items():
        table, _, name = column.partition(".")
        whole = table.rstrip("0123456789").removesuffix("_")  # without the number of a partition
        if kind not in TEXTUAL or whole in DERIVED or table.startswith(OWN_TABLES):
            continue
        if column not in SEARCHED and column not in OTHERS and name not in NAMES | BYTES:
            found.add(column)
    return found


@requirement("forget.leaves-no-bytes")
def test_every_column_of_a_file_is_looked_through_or_exempt(tmp_path: Path) -> None:
    SqliteStore.open(tmp_path / "holdfast.db").close()
    connection = sqlite3.connect(tmp_path / "holdfast.db")
    tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    columns = {
        f"{table}.{row[1]}": str(row[2])
        for (table,) in tables
        for row in connection.execute(f"PRAGMA table_info({table})")
    }
    connection.close()

    assert unexplained(columns) == set()
    assert set(columns) >= SEARCHED


@requirement("forget.leaves-no-bytes")
def test_every_column_of_a_server_is_looked_through_or_exempt() -> None:
    query = (
        "SELECT table_name || '.' || column_name, data_type FROM information_schema.columns"
        " WHERE table_schema = 'holdfast'"
    )
    with psycopg.connect(server().url(READY, OWNER)) as connection:
        columns: dict[str, str] = dict(connection.execute(query).fetchall())

    assert unexplained(columns) == set()
    assert set(columns) >= SEARCHED
