-- name: name_tenant
-- A name that is given later replaces an empty one only.
INSERT INTO tenant (name) VALUES ($1)
ON CONFLICT (tenant_id) DO UPDATE SET name = excluded.name WHERE tenant.name = '';

-- name: all_tenants
SELECT tenant_id, name, created_at FROM tenant ORDER BY created_at, tenant_id;

-- name: own_tenant
SELECT tenant_id, name, created_at FROM tenant WHERE tenant_id = current_tenant();

-- name: stores_of_tenant
SELECT id::text, space, total_memories FROM memory_stores ORDER BY space;

-- name: remove_rows
SELECT remove_rows($1);

-- name: count_rows
SELECT count_rows($1);
