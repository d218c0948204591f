-- name: begin_reading
BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;

-- name: begin_writing
-- The lock of the space makes the units of work of one space follow each other, so each statement
-- may see what was committed last; units of work of different spaces run at the same time.
BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;

-- name: commit
COMMIT;

-- name: rollback
ROLLBACK;

-- name: of_this_transaction
-- The tenant, the store and the search path, for this transaction only. A prepared statement is
-- planned once for each connection: its plan depends on no tenant, because each query leads the
-- server to the index that it needs. Without an index the server would read the rows of all tenants,
-- and compute the policy for each; and the costs that it expects of a plan for every case are so high
-- that it would compile each statement.
SELECT set_config('app.current_tenant_id', :tenant, true),
       set_config('app.current_store_id', :store, true),
       set_config('search_path', :path, true),
       set_config('hnsw.iterative_scan', 'strict_order', true),
       set_config('enable_seqscan', 'off', true),
       set_config('jit', 'off', true),
       set_config('plan_cache_mode', 'force_generic_plan', true)

-- name: enter_reading
-- include: of_this_transaction
;

-- name: enter
-- include: of_this_transaction
       ,
       CASE WHEN current_setting('synchronous_commit') = 'off'
            THEN set_config('synchronous_commit', 'on', true) END,
       (SELECT coalesce(max(number), 0) FROM holdfast.schema_version);

-- name: about_store
-- What most reads ask first: the last sequence, the number of memories and of their words, whether
-- the store has any tuning, pinned memory, link, turn, rewrite or memory of an unmerged branch, and
-- the hash of the note about its words. Most stores have none of some of these, so a recall need not
-- ask for them. The order makes the server use an index.
SELECT last_memory, total_memories, total_words,
       (SELECT 1 FROM tuning ORDER BY space, version LIMIT 1),
       (SELECT 1 FROM memory_standing WHERE pinned = 1 ORDER BY seq LIMIT 1),
       (SELECT 1 FROM memory_link ORDER BY src LIMIT 1),
       (SELECT 1 FROM memory_turn ORDER BY seq LIMIT 1),
       (SELECT 1 FROM rewrite ORDER BY repo, old LIMIT 1),
       (SELECT 1 FROM standpoint WHERE is_aside = 1 ORDER BY repo, subject LIMIT 1),
       (SELECT row_hash FROM meta WHERE name = 'common_terms_measured_at')
  FROM memory_stores WHERE id = current_store();

-- name: lock_space
-- How long to wait, and the lock. Both halves of its key come from the ids of the tenant and the
-- store.
SELECT set_config('lock_timeout', $1, true), pg_advisory_xact_lock($2);

-- name: lock_space_and_note_work
-- The query lock_space, and a note of the unit of work inside itself.
WITH locked AS MATERIALIZED (
    SELECT set_config('lock_timeout', $1, true), pg_advisory_xact_lock($2))
INSERT INTO work_done (token) SELECT $3::uuid FROM locked;

-- name: forget_old_work
DELETE FROM work_done WHERE at < now() - interval '1 hour';

-- name: find_work
SELECT 1 FROM work_done WHERE token = $1::uuid;

-- name: probe
SELECT 1;

-- name: schema_number
SELECT coalesce(max(number), 0) FROM holdfast.schema_version;

-- name: readable_from
-- The number that a program must know to read what the migrations after its own have changed.
SELECT max(readable_from) FROM holdfast.schema_version WHERE number > %(known)s;

-- name: store_named
SELECT id::text FROM memory_stores WHERE space = $1;

-- name: add_store
-- A space that is named by a UUID has it as its id: it may become a store of the memory service.
INSERT INTO memory_stores (id, space, store_name)
VALUES (CASE WHEN $1 ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN $1::uuid
             ELSE gen_random_uuid() END, $1, $1)
ON CONFLICT DO NOTHING;

-- name: about_server
SELECT current_setting('server_version_num')::integer,
       current_setting('server_version'),
       current_user::text,
       (SELECT rolsuper FROM pg_roles WHERE rolname = current_user),
       (SELECT rolbypassrls FROM pg_roles WHERE rolname = current_user),
       (SELECT e.extversion FROM pg_extension e WHERE e.extname = 'vector'),
       (SELECT n.nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace
         WHERE e.extname = 'vector'),
       EXISTS (SELECT 1 FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
                WHERE n.nspname = 'holdfast' AND c.relname = 'schema_version'),
       current_database()::text;

-- name: rights_of_role
-- Whether the role, or a role that it may become, owns a table or may go round row level security,
-- also by the files and programs of the server;
-- whether it may truncate a table; whether it may use the tables at all; and whether it may read all
-- stores of a tenant.
SELECT (SELECT count(*) FROM pg_class c
         WHERE c.relnamespace = 'holdfast'::regnamespace AND c.relkind IN ('r', 'p', 'v')
           AND pg_has_role(current_user, c.relowner, 'MEMBER')),
       (SELECT count(*) FROM pg_roles r
         WHERE (r.rolsuper OR r.rolbypassrls
                OR r.rolname IN ('pg_execute_server_program', 'pg_read_server_files',
                                 'pg_write_server_files'))
           AND pg_has_role(current_user, r.oid, 'MEMBER')),
       (SELECT count(*) FROM pg_class c
         WHERE c.relnamespace = 'holdfast'::regnamespace AND c.relkind IN ('r', 'p')
           AND has_table_privilege(c.oid, 'TRUNCATE')),
       has_schema_privilege('holdfast', 'USAGE')
       AND NOT EXISTS (SELECT 1 FROM pg_class c
                        WHERE c.relnamespace = 'holdfast'::regnamespace
                          AND c.relname IN ('memory', 'event', 'memory_stores')
                          AND NOT (has_table_privilege(c.oid, 'SELECT')
                                   AND has_table_privilege(c.oid, 'INSERT')
                                   AND has_table_privilege(c.oid, 'UPDATE')
                                   AND has_table_privilege(c.oid, 'DELETE'))),
       coalesce(pg_has_role(current_user, to_regrole('holdfast_reader'), 'MEMBER'), false);

-- name: size_of_database
SELECT pg_database_size(current_database());
