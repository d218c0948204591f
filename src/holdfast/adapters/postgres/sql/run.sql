-- name: put_run
INSERT INTO run (id, label, repo, status, started_at, body, salt, row_hash)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
ON CONFLICT (tenant_id, store_id, id) DO UPDATE
   SET label = excluded.label, repo = excluded.repo, status = excluded.status,
       started_at = excluded.started_at, body = excluded.body, salt = excluded.salt,
       row_hash = excluded.row_hash;

-- name: get_run
SELECT id, label, repo, status, started_at, body, salt, row_hash FROM run WHERE id = $1;

-- name: run_labelled
SELECT id, label, repo, status, started_at, body, salt, row_hash
  FROM run WHERE repo = $1 AND label = $2;

-- name: runs_open
SELECT id, label, repo, status, started_at, body, salt, row_hash
  FROM run WHERE repo = $1 AND status = 'open' ORDER BY id DESC;

-- name: runs_before
SELECT id, label, repo, status, started_at, body, salt, row_hash
  FROM run WHERE (:beyond::text IS NULL OR id < :beyond) ORDER BY id DESC LIMIT :limit;
