-- name: unprotected_tables
-- Tables whose rows are not kept apart: no forced row level security, or no policy that checks what
-- is read and what is written; and views that read with the rights of their owner. A policy that
-- only lets the role for people's own SQL read is not counted.
SELECT c.relname
  FROM pg_class c
 WHERE c.relnamespace = 'holdfast'::regnamespace AND c.relkind IN ('r', 'p')
   AND c.relname <> 'schema_version'
   AND (NOT c.relrowsecurity OR NOT c.relforcerowsecurity
        OR NOT EXISTS (SELECT 1 FROM pg_policy p
                        WHERE p.polrelid = c.oid
                          AND p.polqual IS NOT NULL AND p.polwithcheck IS NOT NULL)
        OR (SELECT count(*) FROM pg_policy p
             WHERE p.polrelid = c.oid
               AND NOT (p.polcmd = 'r' AND coalesce(
                        p.polroles = ARRAY[to_regrole('holdfast_reader')::oid], false))) <> 1)
 UNION ALL
SELECT c.relname
  FROM pg_class c
 WHERE c.relnamespace = 'holdfast'::regnamespace
   AND (c.relkind = 'm'
        OR (c.relkind = 'v'
            AND NOT coalesce('security_invoker=true' = ANY (c.reloptions), false)))
 ORDER BY 1;

-- name: keys_without_tenant
-- Primary and unique keys and unique indexes that do not contain the tenant, and foreign keys that
-- do not lead from the tenant of a row to the tenant of the other row.
SELECT k.conrelid::regclass::text, k.conname
  FROM pg_constraint k
  JOIN pg_class c ON c.oid = k.conrelid
 WHERE k.connamespace = 'holdfast'::regnamespace AND k.contype IN ('p', 'u')
   AND c.relname <> 'schema_version'
   AND NOT EXISTS (SELECT 1 FROM pg_attribute a
                    WHERE a.attrelid = k.conrelid AND a.attnum = ANY (k.conkey)
                      AND a.attname = 'tenant_id')
 UNION
SELECT k.conrelid::regclass::text, k.conname
  FROM pg_constraint k
 WHERE k.connamespace = 'holdfast'::regnamespace AND k.contype = 'f'
   AND NOT EXISTS (SELECT 1
                     FROM unnest(k.conkey, k.confkey) AS pair(ours, theirs)
                     JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = pair.ours
                     JOIN pg_attribute b ON b.attrelid = k.confrelid AND b.attnum = pair.theirs
                    WHERE a.attname = 'tenant_id' AND b.attname = 'tenant_id')
 UNION
SELECT i.indrelid::regclass::text, i.indexrelid::regclass::text
  FROM pg_index i
  JOIN pg_class c ON c.oid = i.indrelid
 WHERE c.relnamespace = 'holdfast'::regnamespace AND i.indisunique
   AND c.relname <> 'schema_version'
   AND NOT EXISTS (SELECT 1 FROM pg_attribute a
                    WHERE a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)
                      AND a.attname = 'tenant_id')
 ORDER BY 1, 2;

-- name: tables_and_references
-- Each table that is not a partition, whether its rows have a tenant, and the tables that its
-- foreign keys refer to.
SELECT c.relname::text,
       EXISTS (SELECT 1 FROM pg_attribute a
                WHERE a.attrelid = c.oid AND a.attname = 'tenant_id'),
       ARRAY(SELECT DISTINCT f.relname::text
               FROM pg_constraint k
               JOIN pg_class f ON f.oid = k.confrelid
              WHERE k.conrelid = c.oid AND k.contype = 'f' AND NOT f.relispartition
                AND f.oid <> c.oid
              ORDER BY 1)
  FROM pg_class c
 WHERE c.relnamespace = 'holdfast'::regnamespace AND c.relkind IN ('r', 'p')
   AND NOT c.relispartition
 ORDER BY 1;

-- name: table_sizes
-- A divided table has the sum of its partitions. Rows and dead rows are the server's estimates: the
-- rows that it counted since its statistics began, else those of the last ANALYZE.
SELECT t.relname::text,
       sum(coalesce(nullif(s.n_live_tup, 0), greatest(c.reltuples, 0)::bigint))::bigint,
       sum(coalesce(s.n_dead_tup, 0))::bigint,
       sum(pg_table_size(c.oid))::bigint,
       sum(pg_indexes_size(c.oid))::bigint
  FROM pg_class t
  JOIN pg_class c ON c.relkind = 'r'
   AND (c.oid = t.oid OR EXISTS (SELECT 1 FROM pg_inherits i
                                  WHERE i.inhrelid = c.oid AND i.inhparent = t.oid))
  LEFT JOIN pg_stat_all_tables s ON s.relid = c.oid
 WHERE t.relnamespace = 'holdfast'::regnamespace AND t.relkind IN ('r', 'p')
   AND NOT t.relispartition
 GROUP BY t.relname ORDER BY sum(pg_total_relation_size(c.oid)) DESC, 1;

-- name: index_use
-- A divided index has the sum of its partitions.
SELECT t.relname::text, x.relname::text, sum(coalesce(s.idx_scan, 0))::bigint,
       sum(pg_relation_size(c.oid))::bigint
  FROM pg_index i
  JOIN pg_class x ON x.oid = i.indexrelid AND NOT x.relispartition
  JOIN pg_class t ON t.oid = i.indrelid AND t.relnamespace = 'holdfast'::regnamespace
  JOIN pg_class c ON c.relkind = 'i'
   AND (c.oid = x.oid OR EXISTS (SELECT 1 FROM pg_inherits h
                                  WHERE h.inhrelid = c.oid AND h.inhparent = x.oid))
  LEFT JOIN pg_stat_all_indexes s ON s.indexrelid = c.oid
 GROUP BY 1, 2 ORDER BY 4 DESC, 1, 2;

-- name: activity
SELECT pg_database_size(current_database()),
       (SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()),
       current_setting('max_connections')::integer,
       (SELECT extract(epoch FROM max(clock_timestamp() - xact_start))::double precision
          FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid());

-- name: replication
-- Roles without the right to watch the server see the rows, but not how far a replica is.
SELECT coalesce(application_name, ''), coalesce(state, ''), coalesce(sync_state, ''),
       pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn)::bigint
  FROM pg_stat_replication ORDER BY 1;

-- name: server_settings
SELECT name, setting FROM pg_settings
 WHERE name IN ('wal_level', 'archive_mode', 'max_wal_senders', 'synchronous_commit',
                'synchronous_standby_names', 'fsync', 'full_page_writes', 'data_checksums',
                'summarize_wal', 'wal_log_hints');

-- name: is_replica
SELECT pg_is_in_recovery();
