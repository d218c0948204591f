-- name: put_document
INSERT INTO document
      (collection, namespace, key, place, version, created_at, updated_at, expires_at,
       memory_id, body, salt, row_hash)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (collection, namespace, key) DO UPDATE
   SET place = excluded.place, version = excluded.version, created_at = excluded.created_at,
       updated_at = excluded.updated_at, expires_at = excluded.expires_at,
       memory_id = excluded.memory_id, body = excluded.body, salt = excluded.salt,
       row_hash = excluded.row_hash;

-- name: document_place
SELECT place FROM document WHERE collection = ? AND namespace = ? AND key = ?;

-- name: last_document_place
SELECT coalesce(max(place), 0) FROM document;

-- name: documents_named
SELECT d.collection, d.namespace, d.key, d.place, d.version, d.created_at, d.updated_at,
       d.expires_at, d.memory_id, d.body, d.salt, d.row_hash
  FROM document d
 WHERE (d.collection, d.namespace, d.key) IN (
           SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'),
                  json_extract(value, '$[2]')
             FROM json_each(?))
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
  FROM json_each(?) wanted
  JOIN document d ON d.memory_id = wanted.value
 ORDER BY d.place;

-- name: documents_expired
SELECT collection, namespace, key, place, version, created_at, updated_at, expires_at,
       memory_id, body, salt, row_hash
  FROM document WHERE expires_at <= ? ORDER BY expires_at, place LIMIT ?;

-- name: document_namespaces
SELECT DISTINCT namespace FROM document WHERE collection = ? ORDER BY namespace;

-- name: documents_after
SELECT collection, namespace, key, place, version, created_at, updated_at, expires_at,
       memory_id, body, salt, row_hash
  FROM document WHERE place > ? ORDER BY place LIMIT ?;

-- name: drop_documents
DELETE FROM document
 WHERE (collection, namespace, key) IN (
           SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'),
                  json_extract(value, '$[2]')
             FROM json_each(?))
RETURNING place;

-- name: drop_documents_of
DELETE FROM document WHERE memory_id = ?;
