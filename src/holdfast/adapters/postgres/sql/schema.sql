-- name: lock_schema
-- Two upgrades at the same time follow each other.
SELECT pg_advisory_xact_lock(hashtextextended('holdfast schema', 0));

-- name: wait_for_writers
-- A unit of work reads the number of the schema first. This waits for those that have read the old
-- one, and lets the next ones wait until they can read the new one. Readers do not read it.
LOCK TABLE holdfast.schema_version IN ACCESS EXCLUSIVE MODE;

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
