-- name: prepare_connection
-- An untrusted file must not run code of its own; deleted text must not stay in pages.
PRAGMA trusted_schema = OFF;
PRAGMA cell_size_check = ON;
PRAGMA foreign_keys = ON;
PRAGMA secure_delete = ON;
PRAGMA temp_store = MEMORY;
PRAGMA cache_size = -16384;
PRAGMA synchronous = FULL;
PRAGMA journal_size_limit = 1048576;

-- name: lock_exclusively
-- Run before the first read: SQLite then keeps the index of the log in the heap, not in a file.
PRAGMA locking_mode = EXCLUSIVE;

-- name: trust_pages
-- Run before the key is set: the cipher then decrypts a page that was changed too.
PRAGMA hmac_check = OFF;

-- name: relax_durability
-- For measurements only: a power failure may lose the last commits.
PRAGMA synchronous = NORMAL;

-- name: use_wal
PRAGMA journal_mode = WAL;

-- name: schema_number
PRAGMA user_version;

-- name: application
PRAGMA application_id;

-- name: foreign_objects
-- The schema has no triggers and exactly one view.
SELECT count(*) FROM sqlite_schema
 WHERE type = 'trigger' OR (type = 'view' AND name <> 'memory_text');

-- name: any_object
SELECT count(*) FROM sqlite_schema;

-- name: begin_reading
BEGIN;

-- name: begin_writing
-- IMMEDIATE: two read transactions that both start to write would otherwise deadlock.
BEGIN IMMEDIATE;

-- name: commit
COMMIT;

-- name: rollback
ROLLBACK;

-- name: checkpoint
PRAGMA wal_checkpoint(TRUNCATE);
