-- name: put_span
INSERT INTO span (id, repo, path, first_line, last_line, text_hash, captured_at, label, pinned,
                  salt, row_hash)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
ON CONFLICT (tenant_id, store_id, id) DO UPDATE
   SET repo = excluded.repo, path = excluded.path, first_line = excluded.first_line,
       last_line = excluded.last_line, text_hash = excluded.text_hash,
       captured_at = excluded.captured_at, label = excluded.label, pinned = excluded.pinned,
       salt = excluded.salt, row_hash = excluded.row_hash;

-- name: put_anchor
INSERT INTO span_anchor (span_id, body, salt, row_hash) VALUES ($1, $2, $3, $4)
ON CONFLICT (tenant_id, store_id, span_id) DO UPDATE
   SET body = excluded.body, salt = excluded.salt, row_hash = excluded.row_hash;

-- name: drop_anchor
DELETE FROM span_anchor WHERE span_id = $1 RETURNING 1;

-- name: span_columns
s.id, s.repo, s.path, s.first_line, s.last_line, s.text_hash, s.captured_at, s.label, s.pinned,
s.salt, s.row_hash,
a.span_id, a.body, a.salt, a.row_hash

-- name: get_span
SELECT
-- include: span_columns
  FROM span s
  LEFT JOIN LATERAL (SELECT * FROM span_anchor o WHERE o.span_id = s.id OFFSET 0) a ON true
 WHERE s.id = $1;

-- name: spans_after
SELECT
-- include: span_columns
  FROM span s
  LEFT JOIN LATERAL (SELECT * FROM span_anchor o WHERE o.span_id = s.id OFFSET 0) a ON true
 WHERE s.id > $1 ORDER BY s.id LIMIT $2;

-- name: spans_pinned
SELECT
-- include: span_columns
  FROM span s
  LEFT JOIN LATERAL (SELECT * FROM span_anchor o WHERE o.span_id = s.id OFFSET 0) a ON true
 WHERE s.pinned = 1 AND s.repo IS NOT DISTINCT FROM $1 ORDER BY s.id;

-- name: spans_by_id
SELECT
-- include: span_columns
  FROM jsonb_array_elements_text($1::jsonb) WITH ORDINALITY AS wanted(value, key)
 CROSS JOIN LATERAL (SELECT * FROM span o WHERE o.id = wanted.value OFFSET 0) s
  LEFT JOIN LATERAL (SELECT * FROM span_anchor o WHERE o.span_id = s.id OFFSET 0) a ON true
 ORDER BY wanted.key;

-- name: spans_within
SELECT
-- include: span_columns
  FROM span s
  LEFT JOIN LATERAL (SELECT * FROM span_anchor o WHERE o.span_id = s.id OFFSET 0) a ON true
 WHERE s.repo = $1 AND s.id > $2 ORDER BY s.id LIMIT $3;

-- name: memories_citing
SELECT c.span_id, m.id
  FROM jsonb_array_elements_text($1::jsonb) AS wanted(value)
 CROSS JOIN LATERAL (
       SELECT * FROM memory_cites o WHERE o.span_id BETWEEN wanted.value AND wanted.value
        ORDER BY o.span_id) c
 CROSS JOIN LATERAL (SELECT * FROM memory o WHERE o.seq BETWEEN c.seq AND c.seq ORDER BY o.seq) m
 ORDER BY c.seq;

-- name: drop_span
DELETE FROM span WHERE id = $1;
