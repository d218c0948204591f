-- name: put_link
INSERT INTO memory_link (src, dst, kind, score, salt, row_hash) VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (tenant_id, store_id, src, dst, kind) DO UPDATE
   SET score = excluded.score, salt = excluded.salt, row_hash = excluded.row_hash;

-- name: links_touching
SELECT src, dst, kind, score, salt, row_hash FROM memory_link WHERE src = :id
 UNION
SELECT src, dst, kind, score, salt, row_hash FROM memory_link WHERE dst = :id
 ORDER BY score DESC, src, dst, kind;

-- name: links_among
SELECT l.src, l.dst, l.kind, l.score, l.salt, l.row_hash
  FROM jsonb_array_elements_text(:ids::jsonb) AS wanted(value)
  CROSS JOIN LATERAL (
        SELECT * FROM memory_link o WHERE o.src BETWEEN wanted.value AND wanted.value
         ORDER BY o.src) l
 UNION
SELECT l.src, l.dst, l.kind, l.score, l.salt, l.row_hash
  FROM jsonb_array_elements_text(:ids::jsonb) AS wanted(value)
  CROSS JOIN LATERAL (
        SELECT * FROM memory_link o WHERE o.dst BETWEEN wanted.value AND wanted.value
         ORDER BY o.dst) l
 ORDER BY 4 DESC, 1, 2, 3;

-- name: drop_link
DELETE FROM memory_link WHERE src = $1 AND dst = $2 AND kind = $3 RETURNING 1;

-- name: drop_links_of
DELETE FROM memory_link WHERE src = :id OR dst = :id;

-- name: links_after
SELECT src, dst, kind, score, salt, row_hash
  FROM memory_link WHERE (src, dst, kind) > ($1, $2, $3)
 ORDER BY src, dst, kind LIMIT $4;

-- name: contradictions_after
SELECT src, dst, kind, score, salt, row_hash
  FROM memory_link WHERE kind = 'contradicts' AND (src, dst) > ($1, $2)
 ORDER BY src, dst LIMIT $3;
