-- name: lock_schema
-- Two upgrades at the same time follow each other.
SELECT pg_advisory_xact_lock(hashtextextended('holdfast schema', 0));

-- name: wait_for_writers
-- A unit of work reads the number of the schema first. This waits for those that have read the old
-- one, and lets the next ones wait until they can read the new one. Readers do not read it.
LOCK TABLE holdfast.schema_version IN ACCESS EXCLUSIVE MODE;

-- name: one_builds
-- Whether this connection is the one that builds indexes. It asks again instead of waiting: a build
-- waits for every statement that runs, and so for one that waits for the lock.
SELECT pg_try_advisory_lock(hashtextextended('holdfast indexes', 0));

-- name: another_may_build
SELECT pg_advisory_unlock(hashtextextended('holdfast indexes', 0));

-- name: build_unhurried
-- The vectors of a large store take longer than a role may have for one statement.
SELECT set_config('statement_timeout', '0', false), set_config('search_path', :path, false);

-- name: sparse_indexes
-- The indexes of partitions that migration 23 replaces: the name of the new one, how many bytes the
-- old one has, the statement that removes what an interrupted build left, if there is any, and the
-- one that builds. An index of this size or less is built by the migration itself.
SELECT made.name, pg_relation_size(leaf.oid),
       CASE WHEN there.oid IS NOT NULL THEN format('DROP INDEX holdfast.%I', made.name) END,
       format('CREATE INDEX CONCURRENTLY %I ON holdfast.%I'
              ' USING hnsw ((vector::halfvec(%s)) halfvec_cosine_ops)'
              ' WITH (m = 24, ef_construction = 100) WHERE dimension = %s',
              made.name, part.relname, made.size, made.size)
  FROM pg_inherits under
  JOIN pg_class whole ON whole.oid = under.inhparent
  JOIN pg_class leaf  ON leaf.oid = under.inhrelid
  JOIN pg_index of_part ON of_part.indexrelid = leaf.oid
  JOIN pg_class part ON part.oid = of_part.indrelid
  CROSS JOIN LATERAL (
       SELECT whole.relname || substring(part.relname FROM '_[0-9]+$') AS name,
              substring(whole.relname FROM '[0-9]+$') AS size) made
  LEFT JOIN pg_class there
         ON there.relnamespace = whole.relnamespace AND there.relname = made.name
 WHERE whole.relnamespace = 'holdfast'::regnamespace AND whole.relname ~ '^near_[0-9]+$'
   AND pg_relation_size(leaf.oid) > 65536
   AND NOT EXISTS (SELECT 1 FROM pg_index i WHERE i.indexrelid = there.oid AND i.indisvalid)
 ORDER BY made.name;

-- name: create_extension
CREATE EXTENSION IF NOT EXISTS vector;

-- name: application_role
SELECT 1 FROM pg_roles WHERE rolname = 'holdfast_app';

-- name: create_role
CREATE ROLE holdfast_app NOLOGIN;

-- name: create_schema
CREATE SCHEMA holdfast;

-- name: use_schema
SELECT set_config('search_path', :path, true);

-- name: write_removal
-- The functions that remove a tenant name every table, also those of the newest migrations.
SELECT write_removal();

-- name: reader_waits
-- The role for people's own SQL exists, and the policies for it do not.
SELECT 1 FROM pg_roles r
 WHERE r.rolname = 'holdfast_reader'
   AND NOT EXISTS (SELECT 1 FROM pg_policy p
                    WHERE p.polrelid = 'holdfast.memory'::regclass AND p.polname = 'reading');

-- name: let_readers_read
-- A reader sees all stores of the tenant that its transaction sets, and writes nothing. The policies
-- are for this role only, so the application role still sees one store.
CREATE POLICY reading ON memory          FOR SELECT TO holdfast_reader
    USING (tenant_id = current_tenant());
CREATE POLICY reading ON memory_standing FOR SELECT TO holdfast_reader
    USING (tenant_id = current_tenant());
CREATE POLICY reading ON memory_usage    FOR SELECT TO holdfast_reader
    USING (tenant_id = current_tenant());
CREATE POLICY reading ON memory_link     FOR SELECT TO holdfast_reader
    USING (tenant_id = current_tenant());
CREATE POLICY reading ON embedding_part  FOR SELECT TO holdfast_reader
    USING (tenant_id = current_tenant());
GRANT USAGE ON SCHEMA holdfast TO holdfast_reader;
GRANT SELECT ON memory_stores, memory, memory_standing, memory_usage, memory_link, embedding_part,
    memories, memory_relationships TO holdfast_reader;
