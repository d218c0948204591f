-- name: put_meta
INSERT INTO meta (name, value, salt, row_hash) VALUES ($1, $2, $3, $4)
ON CONFLICT (tenant_id, store_id, name) DO UPDATE
   SET value = excluded.value, salt = excluded.salt, row_hash = excluded.row_hash;

-- name: begun_with
-- The schema, the newest event, and the store's values about itself.
SELECT (SELECT coalesce(max(number), 0) FROM holdfast.schema_version),
       notes.name, notes.value, notes.salt, notes.row_hash,
       newest.sequence, newest.at, newest.action, newest.subject, newest.digest, newest.previous,
       newest.hash
  FROM meta notes
  LEFT JOIN (SELECT * FROM event ORDER BY sequence DESC LIMIT 1) newest ON true;

-- name: drop_meta
DELETE FROM meta WHERE name = $1;
