"""The word search of SQLite-based stores: texts, groups and FTS5."""

from __future__ import annotations

from benchmarks.peers.peer import POOL, Asked, as_or_query

SCHEMA = (
    "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;"
    "CREATE TABLE IF NOT EXISTS item (id INTEGER PRIMARY KEY, text TEXT, kind TEXT);"
    "CREATE INDEX IF NOT EXISTS item_kind ON item (kind);"
    "CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5"
    " (text, content='item', content_rowid='id', tokenize='porter unicode61');"
)
CHECKPOINT = "PRAGMA wal_checkpoint(TRUNCATE)"
ADD_ITEM = "INSERT INTO item (id, text, kind) VALUES (?, ?, ?)"
ADD_WORDS = "INSERT INTO words (rowid, text) VALUES (?, ?)"


def word_query(asked: Asked) -> tuple[str, tuple[str, ...]]:
    """Return the query for the best by words, within the group if there is one."""
    where, group = within(asked)
    query = (
        "SELECT words.rowid, bm25(words) AS score FROM words JOIN item ON id = words.rowid"  # noqa: S608 - no input is in it
        f" WHERE words MATCH ?{where} ORDER BY score LIMIT {POOL}"
    )
    return query, (as_or_query(asked.text), *group)


def within(asked: Asked) -> tuple[str, tuple[str, ...]]:
    """Return the condition for the group, and its value."""
    return (" AND kind = ?", (asked.group,)) if asked.group else ("", ())
