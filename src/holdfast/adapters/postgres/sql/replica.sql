-- name: cluster
-- The same number on a primary and all its replicas, and on no other cluster.
SELECT system_identifier FROM pg_control_system();

-- name: position
-- Everything that was committed before this statement is before this position.
SELECT pg_current_wal_insert_lsn()::text;

-- name: replayed
SELECT pg_is_in_recovery(),
       coalesce(pg_last_wal_replay_lsn() >= :position::pg_lsn, false);

-- name: distance
SELECT pg_is_in_recovery(),
       greatest(0, pg_wal_lsn_diff(:position::pg_lsn, pg_last_wal_replay_lsn()))::bigint;
