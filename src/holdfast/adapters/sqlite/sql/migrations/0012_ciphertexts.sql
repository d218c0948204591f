-- The encrypted contents of sensitive memories, and of the directives, proposals and results of agents.

CREATE TABLE ciphertext (
    record   TEXT PRIMARY KEY NOT NULL,   -- the id of a memory, or an agent's id and the part of it
    key_id   TEXT NOT NULL,
    digest   TEXT NOT NULL,   -- a keyed hash of a claim, to find equal ones; else ''
    body     TEXT NOT NULL,
    salt     BLOB NOT NULL,
    row_hash BLOB NOT NULL CHECK (length(row_hash) = 32)
) STRICT;

CREATE INDEX ciphertext_digest ON ciphertext (digest) WHERE digest <> '';

PRAGMA user_version = 12;
