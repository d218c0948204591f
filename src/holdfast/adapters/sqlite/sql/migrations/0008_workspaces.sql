-- Workspaces: folders that are kept in snapshots, their snapshots, and their files at the newest one.
-- The content itself is in files beside the store, by hash; the rows of files are derived from it.

CREATE TABLE workspace (
    id       TEXT PRIMARY KEY NOT NULL,
    host     TEXT NOT NULL,   -- '' if the store is a file
    root     TEXT NOT NULL,
    body     TEXT NOT NULL CHECK (json_valid(body)),
    salt     BLOB NOT NULL,
    row_hash BLOB NOT NULL CHECK (length(row_hash) = 32),
    UNIQUE (host, root)
) STRICT;

CREATE TABLE workspace_snapshot (
    id        TEXT PRIMARY KEY NOT NULL,
    workspace TEXT NOT NULL REFERENCES workspace (id),
    taken_at  INTEGER NOT NULL,
    manifest  BLOB NOT NULL CHECK (length(manifest) = 32),
    body      TEXT NOT NULL CHECK (json_valid(body)),
    salt      BLOB NOT NULL,
    row_hash  BLOB NOT NULL CHECK (length(row_hash) = 32)
) STRICT;

CREATE INDEX workspace_snapshot_of ON workspace_snapshot (workspace, id);

CREATE TABLE workspace_file (
    workspace TEXT NOT NULL,
    path      TEXT NOT NULL,
    kind      TEXT NOT NULL CHECK (kind IN ('file', 'folder', 'link')),
    mode      INTEGER NOT NULL,
    size      INTEGER NOT NULL,
    content   TEXT NOT NULL,   -- the hash of a file, or the target of a link
    snapshot  TEXT NOT NULL,   -- the snapshot that first had it so
    PRIMARY KEY (workspace, path)
) STRICT, WITHOUT ROWID;

PRAGMA user_version = 8;
