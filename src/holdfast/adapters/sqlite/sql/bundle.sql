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

-- name: statuses_of
-- Forgotten memories have none.
SELECT m.id, s.status
  FROM json_each(:ids) wanted
  JOIN memory m ON m.id = wanted.value
  JOIN memory_standing s ON s.seq = m.seq
 UNION ALL
SELECT t.memory_id, NULL
  FROM json_each(:ids) wanted
  JOIN tombstone t ON t.memory_id = wanted.value;
