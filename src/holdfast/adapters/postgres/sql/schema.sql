-- name: lock_schema
-- Two upgrades at the same time follow each other.
SELECT pg_advisory_xact_lock(hashtextextended('holdfast schema', 0));

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
