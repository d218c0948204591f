-- name: name_tenant
-- A name that is given later replaces an empty one, and the id, only.
INSERT INTO tenant (name) VALUES ($1)
ON CONFLICT (tenant_id) DO UPDATE SET name = excluded.name
 WHERE tenant.name IN ('', tenant.tenant_id::text);

-- name: name_known_tenant
-- The row is there; the statement locks it only if it has no name yet.
UPDATE tenant SET name = $1
 WHERE tenant_id = current_tenant() AND name IN ('', tenant_id::text);

-- name: all_tenants
SELECT tenant_id, name, created_at FROM tenant ORDER BY created_at, tenant_id;

-- name: own_tenant
SELECT tenant_id, name, created_at FROM tenant WHERE tenant_id = current_tenant();

-- name: stores_of_tenant
SELECT id::text, space, total_memories FROM memory_stores ORDER BY space;

-- name: lock_stores
-- Waits for the writers of every store: each holds a lock on the row of its own. These locks take
-- no shared memory, so their number has no limit.
SELECT id::text FROM memory_stores WHERE tenant_id = current_tenant() ORDER BY id FOR UPDATE;

-- name: remove_from_stores
SELECT name, sum(removed)::bigint FROM remove_stores($1::uuid[]) GROUP BY name ORDER BY name;

-- name: left_in_stores
SELECT DISTINCT name FROM left_in_stores($1::uuid[]) ORDER BY name;

-- name: remove_stores_of_tenant
DELETE FROM memory_stores WHERE tenant_id = current_tenant() RETURNING 1;

-- name: remove_own_tenant
DELETE FROM tenant WHERE tenant_id = current_tenant() RETURNING 1;

-- name: count_own
SELECT 'memory_stores' FROM memory_stores WHERE tenant_id = current_tenant()
UNION
SELECT 'tenant' FROM tenant WHERE tenant_id = current_tenant();

-- name: bytes_of_tenant
SELECT coalesce(sum(total_bytes), 0)::bigint FROM memory_stores
 WHERE tenant_id = current_tenant();
