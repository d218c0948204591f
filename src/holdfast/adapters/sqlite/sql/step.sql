-- name: put_step
INSERT INTO run_step (id, run_id, number, status, body, salt, row_hash)
VALUES (?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (id) DO UPDATE
   SET status = excluded.status, body = excluded.body, salt = excluded.salt,
       row_hash = excluded.row_hash;

-- name: get_step
SELECT id, run_id, number, status, body, salt, row_hash
  FROM run_step WHERE run_id = ? AND number = ?;

-- name: steps_of
SELECT id, run_id, number, status, body, salt, row_hash
  FROM run_step WHERE run_id = ? ORDER BY number;

-- name: runs_supervised
-- Every text sorts before a blob, so a blob as the bound starts with the newest.
SELECT DISTINCT run_id FROM run_step
 WHERE run_id < coalesce(:beyond, x'') ORDER BY run_id DESC LIMIT :limit;
