-- name: put_run
INSERT INTO run (id, label, repo, status, started_at, body, salt, row_hash)
VALUES (?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (id) DO UPDATE
   SET label = excluded.label, repo = excluded.repo, status = excluded.status,
       started_at = excluded.started_at, body = excluded.body, salt = excluded.salt,
       row_hash = excluded.row_hash;

-- name: get_run
SELECT id, label, repo, status, started_at, body, salt, row_hash FROM run WHERE id = ?;

-- name: run_labelled
SELECT id, label, repo, status, started_at, body, salt, row_hash
  FROM run WHERE repo = ? AND label = ?;

-- name: runs_open
SELECT id, label, repo, status, started_at, body, salt, row_hash
  FROM run WHERE repo = ? AND status = 'open' ORDER BY id DESC;

-- name: runs_before
-- Every text sorts before a blob, so a blob as the bound starts with the newest.
SELECT id, label, repo, status, started_at, body, salt, row_hash
  FROM run WHERE id < coalesce(:beyond, x'') ORDER BY id DESC LIMIT :limit;
