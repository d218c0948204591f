-- name: prepare_connection
-- A file from elsewhere must not run anything of its own; deleted text must not linger in pages.
PRAGMA trusted_schema = OFF;
PRAGMA cell_size_check = ON;
PRAGMA foreign_keys = ON;
PRAGMA secure_delete = ON;
PRAGMA temp_store = MEMORY;
PRAGMA cache_size = -16384;
PRAGMA synchronous = FULL;
-- A log no larger than the reserve: on a full disk there is room to empty it.
PRAGMA wal_autocheckpoint = 250;
PRAGMA journal_size_limit = 1048576;

-- name: lock_exclusively
-- Before the first read: the index of the log is then kept in the heap, not in a file.
PRAGMA locking_mode = EXCLUSIVE;

-- name: relax_durability
-- For measurements only: a power cut may take the last commits.
PRAGMA synchronous = NORMAL;

-- name: use_wal
PRAGMA journal_mode = WAL;

-- name: schema_number
PRAGMA user_version;

-- name: application
PRAGMA application_id;

-- name: foreign_objects
-- Triggers are never ours, and one view is.
SELECT count(*) FROM sqlite_schema
 WHERE type = 'trigger' OR (type = 'view' AND name <> 'memory_text');

-- name: any_object
SELECT count(*) FROM sqlite_schema;

-- name: begin_reading
BEGIN;

-- name: begin_writing
-- IMMEDIATE: two readers that both turn writer would otherwise deadlock.
BEGIN IMMEDIATE;

-- name: commit
COMMIT;

-- name: rollback
ROLLBACK;

-- name: checkpoint
PRAGMA wal_checkpoint(TRUNCATE);
