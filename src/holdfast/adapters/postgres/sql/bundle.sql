-- name: put_bundles
INSERT INTO bundle (id, asked_at, body, salt, row_hash)
SELECT * FROM unnest($1::text[], $2::bigint[], $3::text[], $4::bytea[], $5::bytea[])
ON CONFLICT (tenant_id, store_id, id) DO UPDATE
   SET asked_at = excluded.asked_at, body = excluded.body, salt = excluded.salt,
       row_hash = excluded.row_hash;

-- name: get_bundle
SELECT id, asked_at, body, salt, row_hash FROM bundle WHERE id = $1;

-- name: bundles_before
SELECT id, asked_at, body, salt, row_hash
  FROM bundle WHERE (:beyond::text IS NULL OR id < :beyond) ORDER BY id DESC LIMIT :limit;
