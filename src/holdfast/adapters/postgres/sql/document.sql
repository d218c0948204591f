-- name: put_document
INSERT INTO document
      (collection, namespace, key, place, version, created_at, updated_at, expires_at,
       memory_id, body, salt, row_hash)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
ON CONFLICT (tenant_id, store_id, collection, namespace, key) DO UPDATE
   SET place = excluded.place, version = excluded.version, created_at = excluded.created_at,
       updated_at = excluded.updated_at, expires_at = excluded.expires_at,
       memory_id = excluded.memory_id, body = excluded.body, salt = excluded.salt,
       row_hash = excluded.row_hash;

-- name: document_place
SELECT place FROM document WHERE collection = $1 AND namespace = $2 AND key = $3;

-- name: last_document_place
SELECT coalesce(max(place), 0) FROM document;

-- name: documents_named
SELECT d.collection, d.namespace, d.key, d.place, d.version, d.created_at, d.updated_at,
       d.expires_at, d.memory_id, d.body, d.salt, d.row_hash
  FROM document d
 WHERE (d.collection, d.namespace, d.key) IN (
           SELECT wanted.value ->> 0, wanted.value ->> 1, wanted.value ->> 2
             FROM jsonb_array_elements($1::jsonb) wanted)
 ORDER BY d.place;

-- name: documents_within
-- The text of a longer namespace begins with that of its prefix and a comma.
SELECT collection, namespace, key, place, version, created_at, updated_at, expires_at,
       memory_id, body, salt, row_hash
  FROM document
 WHERE collection = :collection AND place > :beyond
   AND (namespace = :namespace OR (namespace >= :first AND namespace < :last))
 ORDER BY place LIMIT :limit;

-- name: documents_of_memories
SELECT d.collection, d.namespace, d.key, d.place, d.version, d.created_at, d.updated_at,
       d.expires_at, d.memory_id, d.body, d.salt, d.row_hash
  FROM document d
 WHERE d.memory_id = ANY (ARRAY(SELECT jsonb_array_elements_text($1::jsonb)))
 ORDER BY d.place;

-- name: documents_expired
SELECT collection, namespace, key, place, version, created_at, updated_at, expires_at,
       memory_id, body, salt, row_hash
  FROM document WHERE expires_at <= $1 ORDER BY expires_at, place LIMIT $2;

-- name: document_namespaces
SELECT DISTINCT namespace FROM document WHERE collection = $1 ORDER BY namespace;

-- name: documents_after
SELECT collection, namespace, key, place, version, created_at, updated_at, expires_at,
       memory_id, body, salt, row_hash
  FROM document WHERE place > $1 ORDER BY place LIMIT $2;

-- name: drop_documents
DELETE FROM document
 WHERE (collection, namespace, key) IN (
           SELECT wanted.value ->> 0, wanted.value ->> 1, wanted.value ->> 2
             FROM jsonb_array_elements($1::jsonb) wanted)
RETURNING place;

-- name: drop_documents_of
DELETE FROM document WHERE memory_id = $1;
