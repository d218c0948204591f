-- name: put_meta
INSERT INTO meta (name, value, salt, row_hash) VALUES (?, ?, ?, ?)
ON CONFLICT (name) DO UPDATE
   SET value = excluded.value, salt = excluded.salt, row_hash = excluded.row_hash;

-- name: get_meta
SELECT name, value, salt, row_hash FROM meta WHERE name = ?;

-- name: drop_meta
DELETE FROM meta WHERE name = ?;
