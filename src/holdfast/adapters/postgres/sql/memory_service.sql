-- name: add_service_store
-- A space of that name which a person opened first becomes the store of the owner.
INSERT INTO memory_stores (id, space, user_id, store_name)
VALUES ($1::uuid, $1::text, $2::uuid, $3)
ON CONFLICT (tenant_id, id) DO UPDATE
   SET last_accessed = now(), user_id = excluded.user_id, store_name = excluded.store_name;

-- name: owner_of_store
SELECT user_id::text, store_name FROM memory_stores
 WHERE id = $1::uuid AND user_id IS NOT NULL;

-- name: stores_beginning
-- A range of the primary key.
SELECT user_id::text, store_name FROM memory_stores
 WHERE id BETWEEN $1::uuid AND $2::uuid AND user_id IS NOT NULL
 ORDER BY id;
