-- What frameworks keep under names, exactly as they gave it: files of memory tools, values of
-- stores, items of conversations, checkpoints of graphs. The rows are sealed, but they are no
-- events; the memory that carries the text of a document is an event of its own.

CREATE TABLE document (
    collection TEXT NOT NULL,      -- which framework keeps it
    namespace  TEXT NOT NULL,      -- labels, as a JSON array
    key        TEXT NOT NULL,
    place      INTEGER NOT NULL UNIQUE,   -- the order in which documents came
    version    INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    expires_at INTEGER,
    memory_id  TEXT,               -- the memory that carries its text
    body       TEXT NOT NULL CHECK (json_valid(body)),
    salt       BLOB NOT NULL,
    row_hash   BLOB NOT NULL CHECK (length(row_hash) = 32),
    PRIMARY KEY (collection, namespace, key)
) STRICT;

CREATE INDEX document_memory ON document (memory_id) WHERE memory_id IS NOT NULL;
CREATE INDEX document_expiry ON document (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX document_place  ON document (collection, place);

PRAGMA user_version = 16;
