-- name: put_step
INSERT INTO run_step (id, run_id, number, status, body, salt, row_hash)
VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT (tenant_id, store_id, id) DO UPDATE
   SET status = excluded.status, body = excluded.body, salt = excluded.salt,
       row_hash = excluded.row_hash;

-- name: get_step
SELECT id, run_id, number, status, body, salt, row_hash
  FROM run_step WHERE run_id = $1 AND number = $2;

-- name: steps_of
SELECT id, run_id, number, status, body, salt, row_hash
  FROM run_step WHERE run_id = $1 ORDER BY number;

-- name: runs_supervised
SELECT DISTINCT run_id FROM run_step
 WHERE (:beyond::text IS NULL OR run_id < :beyond) ORDER BY run_id DESC LIMIT :limit;
