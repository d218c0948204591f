-- name: last_sequence
-- The counter is kept when memories are forgotten, so no number is used twice.
SELECT max(coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'memory'), 0),
           coalesce((SELECT max(seq) FROM memory), 0));

-- name: already_there
-- What the store has of memories that are about to be added: their ids, also of forgotten ones,
-- the hashes of their claims, and the parts of their sketches.
SELECT wanted.value FROM json_each(:ids) wanted
 WHERE EXISTS (SELECT 1 FROM memory m WHERE m.id = wanted.value)
    OR EXISTS (SELECT 1 FROM tombstone t WHERE t.memory_id = wanted.value)
 UNION ALL
SELECT unhex(wanted.value) FROM json_each(:nears) wanted
 WHERE EXISTS (SELECT 1 FROM memory m INDEXED BY memory_near WHERE m.near_hash = unhex(wanted.value))
 UNION ALL
SELECT wanted.value FROM json_each(:bands) wanted
 WHERE EXISTS (SELECT 1 FROM memory_band b WHERE b.band = wanted.value);

-- name: add_memory
INSERT INTO memory (seq, id, space, workspace, scope, repo, branch, kind, key, value, weight,
                    importance, origin, trust, source, tags, metadata, created_at, expires_at,
                    source_json, content_hash, near_hash, salt, row_hash)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- name: memory_columns
m.seq, m.id, m.space, m.workspace, m.scope, m.repo, m.branch, m.kind, m.key, m.value, m.weight,
m.importance, m.origin, m.trust, m.source, m.tags, m.metadata, m.created_at, m.expires_at,
m.source_json, m.content_hash, m.near_hash, m.salt, m.row_hash

-- name: record_columns
-- include: memory_columns
, s.seq, s.status, s.pinned, s.label, s.superseded_by, s.decided_by, s.decided_at, s.reason,
  s.salt, s.row_hash,
  u.seq, u.access_count, u.last_accessed, u.good, u.bad, u.salt, u.row_hash,
-- include: standpoint_columns
, (SELECT json_group_array(json_array(e.place, hex(e.source_json), hex(e.salt), hex(e.row_hash))
                           ORDER BY e.place)
     FROM memory_evidence e WHERE e.seq = m.seq HAVING count(*) > 0)

-- name: record_by_id
SELECT
-- include: record_columns
  FROM memory m
  LEFT JOIN memory_standing s ON s.seq = m.seq
  LEFT JOIN memory_usage u ON u.seq = m.seq
  LEFT JOIN standpoint p ON p.subject = m.id
 WHERE m.id = ?;

-- name: records_by_sequence
SELECT
-- include: record_columns
  FROM json_each(?) wanted
  JOIN memory m ON m.seq = wanted.value
  LEFT JOIN memory_standing s ON s.seq = m.seq
  LEFT JOIN memory_usage u ON u.seq = m.seq
  LEFT JOIN standpoint p ON p.subject = m.id
 ORDER BY wanted.key;

-- name: records_by_id
SELECT
-- include: record_columns
  FROM json_each(?) wanted
  JOIN memory m ON m.id = wanted.value
  LEFT JOIN memory_standing s ON s.seq = m.seq
  LEFT JOIN memory_usage u ON u.seq = m.seq
  LEFT JOIN standpoint p ON p.subject = m.id
 ORDER BY wanted.key;

-- name: sequence_of
SELECT seq FROM memory WHERE id = ?;

-- name: is_used
SELECT 1 FROM memory WHERE id = ?1 UNION ALL SELECT 1 FROM tombstone WHERE memory_id = ?1;

-- name: ids_of
SELECT m.id FROM json_each(?) wanted JOIN memory m ON m.seq = wanted.value;

-- name: sequences_of
SELECT m.id, m.seq FROM json_each(?) wanted JOIN memory m ON m.id = wanted.value;

-- name: put_standing
INSERT INTO memory_standing (seq, status, pinned, label, superseded_by, decided_by, decided_at,
                             reason, salt, row_hash)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (seq) DO UPDATE
   SET status = excluded.status, pinned = excluded.pinned, label = excluded.label,
       superseded_by = excluded.superseded_by, decided_by = excluded.decided_by,
       decided_at = excluded.decided_at, reason = excluded.reason, salt = excluded.salt,
       row_hash = excluded.row_hash;

-- name: put_usage
INSERT INTO memory_usage (seq, access_count, last_accessed, good, bad, salt, row_hash)
VALUES (?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (seq) DO UPDATE
   SET access_count = excluded.access_count, last_accessed = excluded.last_accessed,
       good = excluded.good, bad = excluded.bad, salt = excluded.salt,
       row_hash = excluded.row_hash;

-- name: usage_of
SELECT m.seq, m.id, u.seq, u.access_count, u.last_accessed, u.good, u.bad, u.salt, u.row_hash
  FROM json_each(?) wanted
  JOIN memory m ON m.id = wanted.value
  LEFT JOIN memory_usage u ON u.seq = m.seq;

-- name: put_usages
-- The rows are passed as one JSON list, with bytes in hexadecimal.
INSERT INTO memory_usage (seq, access_count, last_accessed, good, bad, salt, row_hash)
SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4,
       unhex(value ->> 5), unhex(value ->> 6)
  FROM json_each(?)
 WHERE true
ON CONFLICT (seq) DO UPDATE
   SET access_count = excluded.access_count, last_accessed = excluded.last_accessed,
       good = excluded.good, bad = excluded.bad, salt = excluded.salt,
       row_hash = excluded.row_hash;

-- name: add_evidence
INSERT INTO memory_evidence (seq, place, source_json, salt, row_hash) VALUES (?, ?, ?, ?, ?);

-- name: next_place
-- Evidence may have been removed before, so the count of rows is not the next place.
SELECT coalesce(max(place) + 1, 0) FROM memory_evidence WHERE seq = ?;

-- name: withdraw_evidence
DELETE FROM memory_evidence WHERE seq = ? AND source_json = ? RETURNING 1;

-- name: drop_citation
DELETE FROM memory_cites WHERE span_id = ? AND seq = ?;

-- name: evidence_of
SELECT e.seq, e.place, e.source_json, e.salt, e.row_hash
  FROM json_each(?) wanted
  JOIN memory_evidence e ON e.seq = wanted.value
 ORDER BY e.seq, e.place;

-- name: drop_memory
DELETE FROM memory WHERE seq = ?;

-- name: drop_standing
DELETE FROM memory_standing WHERE seq = ?;

-- name: drop_usage
DELETE FROM memory_usage WHERE seq = ?;

-- name: drop_evidence
DELETE FROM memory_evidence WHERE seq = ?;

-- name: add_citation
INSERT INTO memory_cites (span_id, seq) VALUES (?, ?) ON CONFLICT DO NOTHING;

-- name: spans_cited_only_by
-- A span that a person pinned stays.
SELECT c.span_id
  FROM memory_cites c
  JOIN span s ON s.id = c.span_id AND s.pinned = 0
 WHERE c.seq = :seq
   AND NOT EXISTS (SELECT 1 FROM memory_cites o WHERE o.span_id = c.span_id AND o.seq <> :seq)
 ORDER BY c.span_id;

-- name: drop_citations
DELETE FROM memory_cites WHERE seq = ?;
