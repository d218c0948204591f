-- name: put_span
INSERT INTO span (id, repo, path, first_line, last_line, text_hash, captured_at, label, pinned,
                  salt, row_hash)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (id) DO UPDATE
   SET repo = excluded.repo, path = excluded.path, first_line = excluded.first_line,
       last_line = excluded.last_line, text_hash = excluded.text_hash,
       captured_at = excluded.captured_at, label = excluded.label, pinned = excluded.pinned,
       salt = excluded.salt, row_hash = excluded.row_hash;

-- name: get_span
SELECT id, repo, path, first_line, last_line, text_hash, captured_at, label, pinned,
       salt, row_hash
  FROM span WHERE id = ?;

-- name: spans_after
SELECT id, repo, path, first_line, last_line, text_hash, captured_at, label, pinned,
       salt, row_hash
  FROM span WHERE id > ? ORDER BY id LIMIT ?;

-- name: spans_pinned
SELECT id, repo, path, first_line, last_line, text_hash, captured_at, label, pinned,
       salt, row_hash
  FROM span WHERE pinned = 1 AND repo IS ? ORDER BY id;

-- name: drop_span
DELETE FROM span WHERE id = ?;
