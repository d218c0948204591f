-- name: put_span
INSERT INTO span (id, repo, path, first_line, last_line, text_hash, captured_at, label, pinned,
                  salt, row_hash)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (id) DO UPDATE
   SET repo = excluded.repo, path = excluded.path, first_line = excluded.first_line,
       last_line = excluded.last_line, text_hash = excluded.text_hash,
       captured_at = excluded.captured_at, label = excluded.label, pinned = excluded.pinned,
       salt = excluded.salt, row_hash = excluded.row_hash;

-- name: put_anchor
INSERT INTO span_anchor (span_id, body, salt, row_hash) VALUES (?, ?, ?, ?)
ON CONFLICT (span_id) DO UPDATE
   SET body = excluded.body, salt = excluded.salt, row_hash = excluded.row_hash;

-- name: drop_anchor
DELETE FROM span_anchor WHERE span_id = ? RETURNING 1;

-- name: span_columns
s.id, s.repo, s.path, s.first_line, s.last_line, s.text_hash, s.captured_at, s.label, s.pinned,
s.salt, s.row_hash,
a.span_id, a.body, a.salt, a.row_hash

-- name: get_span
SELECT
-- include: span_columns
  FROM span s LEFT JOIN span_anchor a ON a.span_id = s.id
 WHERE s.id = ?;

-- name: spans_after
SELECT
-- include: span_columns
  FROM span s LEFT JOIN span_anchor a ON a.span_id = s.id
 WHERE s.id > ? ORDER BY s.id LIMIT ?;

-- name: spans_pinned
SELECT
-- include: span_columns
  FROM span s LEFT JOIN span_anchor a ON a.span_id = s.id
 WHERE s.pinned = 1 AND s.repo IS ? ORDER BY s.id;

-- name: spans_by_id
SELECT
-- include: span_columns
  FROM json_each(?) wanted
 CROSS JOIN span s ON s.id = wanted.value
  LEFT JOIN span_anchor a ON a.span_id = s.id
 ORDER BY wanted.key;

-- name: spans_within
SELECT
-- include: span_columns
  FROM span s INDEXED BY span_repo LEFT JOIN span_anchor a ON a.span_id = s.id
 WHERE s.repo = ? AND s.id > ? ORDER BY s.id LIMIT ?;

-- name: memories_citing
SELECT c.span_id, m.id
  FROM json_each(?) wanted
 CROSS JOIN memory_cites c ON c.span_id = wanted.value
 CROSS JOIN memory m ON m.seq = c.seq
 ORDER BY c.seq;

-- name: drop_span
DELETE FROM span WHERE id = ?;
