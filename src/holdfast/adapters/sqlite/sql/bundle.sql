-- name: put_bundle
INSERT INTO bundle (id, asked_at, body, salt, row_hash) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (id) DO UPDATE
   SET asked_at = excluded.asked_at, body = excluded.body, salt = excluded.salt,
       row_hash = excluded.row_hash;

-- name: get_bundle
SELECT id, asked_at, body, salt, row_hash FROM bundle WHERE id = ?;

-- name: bundles_before
-- Every text sorts before a blob, so a blob as the bound starts with the newest.
SELECT id, asked_at, body, salt, row_hash
  FROM bundle WHERE id < coalesce(:beyond, x'') ORDER BY id DESC LIMIT :limit;
