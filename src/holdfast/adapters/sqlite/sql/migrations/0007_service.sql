-- The server: the tokens of its callers, and its answers to requests that a client may repeat.
-- Both belong to this store only; they are no events, and no export contains them.

CREATE TABLE access_token (
    id          TEXT PRIMARY KEY NOT NULL,
    name        TEXT NOT NULL,
    kind        TEXT NOT NULL,
    may         TEXT NOT NULL CHECK (json_valid(may)),
    secret_hash BLOB NOT NULL CHECK (length(secret_hash) = 32),
    created_at  INTEGER NOT NULL,
    expires_at  INTEGER,
    revoked_at  INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE reply (
    key          TEXT PRIMARY KEY NOT NULL,
    request_hash BLOB NOT NULL CHECK (length(request_hash) = 32),
    status       INTEGER NOT NULL,
    body         TEXT,   -- null after a memory in it was forgotten
    at           INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX reply_at ON reply (at);

PRAGMA user_version = 7;
