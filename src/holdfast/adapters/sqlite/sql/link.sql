-- name: put_link
INSERT INTO memory_link (src, dst, kind, score, salt, row_hash) VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (src, dst, kind) DO UPDATE
   SET score = excluded.score, salt = excluded.salt, row_hash = excluded.row_hash;

-- name: links_touching
SELECT src, dst, kind, score, salt, row_hash FROM memory_link WHERE src = :id
 UNION
SELECT src, dst, kind, score, salt, row_hash FROM memory_link WHERE dst = :id
 ORDER BY score DESC, src, dst, kind;

-- name: links_among
SELECT l.src, l.dst, l.kind, l.score, l.salt, l.row_hash
  FROM json_each(:ids) wanted CROSS JOIN memory_link l ON l.src = wanted.value
 UNION
SELECT l.src, l.dst, l.kind, l.score, l.salt, l.row_hash
  FROM json_each(:ids) wanted CROSS JOIN memory_link l ON l.dst = wanted.value
 ORDER BY 4 DESC, 1, 2, 3;

-- name: drop_link
DELETE FROM memory_link WHERE src = ? AND dst = ? AND kind = ? RETURNING 1;

-- name: drop_links_of
DELETE FROM memory_link WHERE src = :id OR dst = :id;

-- name: links_after
SELECT src, dst, kind, score, salt, row_hash
  FROM memory_link WHERE (src, dst, kind) > (?, ?, ?)
 ORDER BY src, dst, kind LIMIT ?;

-- name: contradictions_after
SELECT src, dst, kind, score, salt, row_hash
  FROM memory_link INDEXED BY link_contradicts
 WHERE kind = 'contradicts' AND (src, dst) > (?, ?)
 ORDER BY src, dst LIMIT ?;
