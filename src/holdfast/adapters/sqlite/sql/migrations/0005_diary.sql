-- What people do: the pieces of work they finish, and the decisions they may take back.

CREATE TABLE run (
    id         TEXT PRIMARY KEY NOT NULL,
    label      TEXT NOT NULL,   -- run-2026-01-27-3
    repo       TEXT NOT NULL,   -- '' outside a repository
    status     TEXT NOT NULL CHECK (status IN ('open', 'finished', 'abandoned')),
    started_at INTEGER NOT NULL,
    body       TEXT NOT NULL CHECK (json_valid(body)),
    salt       BLOB NOT NULL,
    row_hash   BLOB NOT NULL CHECK (length(row_hash) = 32),
    UNIQUE (repo, label)
) STRICT;

CREATE INDEX run_open ON run (repo) WHERE status = 'open';

CREATE TABLE decision (
    id       TEXT PRIMARY KEY NOT NULL,
    at       INTEGER NOT NULL,
    body     TEXT NOT NULL CHECK (json_valid(body)),
    salt     BLOB NOT NULL,
    row_hash BLOB NOT NULL CHECK (length(row_hash) = 32)
) STRICT;

-- What may speak up before a tool does something: asked at every step of a session.

CREATE INDEX memory_when ON memory (seq)  WHERE instr(metadata, '"when') > 0;
CREATE INDEX span_path   ON span (path, repo) WHERE repo IS NOT NULL;

-- What contradicts what: counted for every prompt.

CREATE INDEX link_contradicts ON memory_link (src, dst) WHERE kind = 'contradicts';

PRAGMA user_version = 5;
