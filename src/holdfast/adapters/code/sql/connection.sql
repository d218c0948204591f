-- name: prepare_connection
-- The database is derived and local, but not trusted: somebody may have replaced the file. NORMAL:
-- a power failure may lose the last changes, but does not damage the file.
PRAGMA trusted_schema = OFF;
PRAGMA cell_size_check = ON;
PRAGMA temp_store = MEMORY;
PRAGMA cache_size = -32768;
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;
PRAGMA wal_autocheckpoint = 4000;
PRAGMA journal_size_limit = 16777216;

-- name: integrity
PRAGMA integrity_check(1);

-- name: any_object
SELECT count(*) FROM sqlite_schema;

-- name: begin_reading
BEGIN;

-- name: begin_writing
-- IMMEDIATE: two readers that both become writers would otherwise deadlock.
BEGIN IMMEDIATE;

-- name: commit
COMMIT;

-- name: rollback
ROLLBACK;
