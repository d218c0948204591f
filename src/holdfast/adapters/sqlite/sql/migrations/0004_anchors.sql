-- Where evidence was read: what ties spans to content, and the histories they are in.

CREATE TABLE span_anchor (
    span_id  TEXT PRIMARY KEY NOT NULL REFERENCES span (id),
    body     TEXT NOT NULL CHECK (json_valid(body)),
    salt     BLOB NOT NULL,
    row_hash BLOB NOT NULL CHECK (length(row_hash) = 32)
) STRICT;

CREATE INDEX span_repo ON span (repo, id) WHERE repo IS NOT NULL;

CREATE TABLE standpoint (
    subject   TEXT PRIMARY KEY NOT NULL,   -- the memory or session that began there, or a branch's tip
    repo      TEXT,
    branch    TEXT,
    head      TEXT NOT NULL,
    is_aside  INTEGER NOT NULL CHECK (is_aside IN (0, 1)),
    is_shared INTEGER NOT NULL CHECK (is_shared IN (0, 1)),
    salt      BLOB NOT NULL,
    row_hash  BLOB NOT NULL CHECK (length(row_hash) = 32)
) STRICT;

CREATE INDEX standpoint_aside ON standpoint (repo, head, branch, is_shared, subject)
    WHERE is_aside = 1 AND subject GLOB 'm_*';
CREATE INDEX standpoint_tip   ON standpoint (repo) WHERE subject GLOB 't_*';

CREATE TABLE rewrite (
    repo     TEXT NOT NULL,
    old      TEXT NOT NULL,   -- the commit whose place was taken
    new      TEXT NOT NULL,
    how      TEXT NOT NULL CHECK (how IN ('hook', 'patch', 'tree', 'squash')),
    at       INTEGER NOT NULL,
    salt     BLOB NOT NULL,
    row_hash BLOB NOT NULL CHECK (length(row_hash) = 32),
    PRIMARY KEY (repo, old)
) STRICT;

PRAGMA user_version = 4;
