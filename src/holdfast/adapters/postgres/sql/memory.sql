-- name: last_sequence
-- The counter is kept when memories are forgotten, so no number is used twice.
SELECT last_memory FROM memory_stores WHERE id = current_store();

-- name: already_there
-- What the store has of memories that are about to be added: their ids, also of forgotten ones,
-- the hashes of their claims, and the parts of their sketches.
SELECT 'id', id, NULL::bytea, NULL::bigint FROM memory WHERE id = ANY (:ids::text[])
 UNION ALL
SELECT 'id', memory_id, NULL, NULL FROM tombstone WHERE memory_id = ANY (:ids::text[])
 UNION ALL
SELECT DISTINCT 'near', NULL::text, near_hash, NULL::bigint FROM memory
 WHERE near_hash = ANY (:nears::bytea[])
 UNION ALL
SELECT DISTINCT 'band', NULL::text, NULL::bytea, band FROM memory_band
 WHERE band = ANY (:bands::bigint[]);

-- name: add_memories
INSERT INTO memory (seq, id, space, workspace, scope, repo, branch, kind, key, value, weight,
                    importance, origin, trust, source, tags, metadata, created_at, expires_at,
                    source_json, content_hash, near_hash, salt, row_hash)
SELECT * FROM unnest(
    $1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
    $8::text[], $9::text[], $10::text[], $11::double precision[], $12::double precision[],
    $13::text[], $14::text[], $15::text[], $16::text[], $17::text[], $18::bigint[], $19::bigint[],
    $20::text[], $21::bytea[], $22::bytea[], $23::bytea[], $24::bytea[]);

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
, (SELECT json_agg(json_build_array(e.place, encode(convert_to(e.source_json, 'UTF8'), 'hex'),
                                    encode(e.salt, 'hex'), encode(e.row_hash, 'hex'))
                   ORDER BY e.place)::text
     FROM memory_evidence e WHERE e.seq = m.seq)

-- name: standing_of_m
-- A plain join may read all rows of the store, because the server cannot know how many rows a store
-- has, and takes it for a small one. A subquery with OFFSET or ORDER BY is run for each row instead.
-- Where a table has several indexes that begin with the tenant and the store, the server may still
-- take the wrong one: BETWEEN and ORDER BY together ask for the order of the right one.
 CROSS JOIN LATERAL (SELECT * FROM memory_standing o WHERE o.seq = m.seq OFFSET 0) s

-- name: record_of_m
  LEFT JOIN LATERAL (SELECT * FROM memory_standing o WHERE o.seq = m.seq OFFSET 0) s ON true
  LEFT JOIN LATERAL (SELECT * FROM memory_usage o WHERE o.seq = m.seq OFFSET 0) u ON true
  LEFT JOIN LATERAL (
        SELECT * FROM standpoint o WHERE o.subject BETWEEN m.id AND m.id
         ORDER BY o.subject) p ON true

-- name: memory_with_sequence
-- The memory of each wanted sequence.
 CROSS JOIN LATERAL (
       SELECT * FROM memory o WHERE o.seq BETWEEN wanted.value::bigint AND wanted.value::bigint
        ORDER BY o.seq) m

-- name: memory_with_id
 CROSS JOIN LATERAL (
       SELECT * FROM memory o WHERE o.id BETWEEN wanted.value AND wanted.value
        ORDER BY o.id) m

-- name: record_by_id
SELECT
-- include: record_columns
  FROM (SELECT * FROM memory o WHERE o.id BETWEEN $1 AND $1 ORDER BY o.id) m
-- include: record_of_m
;

-- name: records_by_sequence
SELECT
-- include: record_columns
  FROM jsonb_array_elements_text($1::jsonb) WITH ORDINALITY AS wanted(value, key)
-- include: memory_with_sequence
-- include: record_of_m
 ORDER BY wanted.key;

-- name: records_by_id
SELECT
-- include: record_columns
  FROM jsonb_array_elements_text($1::jsonb) WITH ORDINALITY AS wanted(value, key)
-- include: memory_with_id
-- include: record_of_m
 ORDER BY wanted.key;

-- name: sequence_of
SELECT seq FROM memory WHERE id BETWEEN $1 AND $1 ORDER BY id;

-- name: is_used
(SELECT 1 FROM memory WHERE id BETWEEN $1 AND $1 ORDER BY id)
UNION ALL
(SELECT 1 FROM tombstone WHERE memory_id BETWEEN $1 AND $1 ORDER BY memory_id);

-- name: ids_of
SELECT m.id FROM jsonb_array_elements_text($1::jsonb) AS wanted(value)
-- include: memory_with_sequence
;

-- name: sequences_of
SELECT m.id, m.seq FROM jsonb_array_elements_text($1::jsonb) AS wanted(value)
-- include: memory_with_id
;

-- name: put_standings
INSERT INTO memory_standing (seq, status, pinned, label, superseded_by, decided_by, decided_at,
                             reason, salt, row_hash)
SELECT * FROM unnest($1::bigint[], $2::text[], $3::smallint[], $4::text[], $5::text[], $6::text[],
                     $7::bigint[], $8::text[], $9::bytea[], $10::bytea[])
ON CONFLICT (tenant_id, store_id, seq) DO UPDATE
   SET status = excluded.status, pinned = excluded.pinned, label = excluded.label,
       superseded_by = excluded.superseded_by, decided_by = excluded.decided_by,
       decided_at = excluded.decided_at, reason = excluded.reason, salt = excluded.salt,
       row_hash = excluded.row_hash;

-- name: put_usage
INSERT INTO memory_usage (seq, access_count, last_accessed, good, bad, salt, row_hash)
VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT (tenant_id, store_id, seq) DO UPDATE
   SET access_count = excluded.access_count, last_accessed = excluded.last_accessed,
       good = excluded.good, bad = excluded.bad, salt = excluded.salt,
       row_hash = excluded.row_hash;

-- name: usage_of
SELECT m.seq, m.id, u.seq, u.access_count, u.last_accessed, u.good, u.bad, u.salt, u.row_hash
  FROM jsonb_array_elements_text($1::jsonb) AS wanted(value)
-- include: memory_with_id
  LEFT JOIN LATERAL (SELECT * FROM memory_usage o WHERE o.seq = m.seq OFFSET 0) u ON true;

-- name: put_usages
-- The rows are passed as one JSON list, with bytes in hexadecimal.
INSERT INTO memory_usage (seq, access_count, last_accessed, good, bad, salt, row_hash)
SELECT (value ->> 0)::bigint, (value ->> 1)::bigint, (value ->> 2)::bigint,
       (value ->> 3)::bigint, (value ->> 4)::bigint,
       decode(value ->> 5, 'hex'), decode(value ->> 6, 'hex')
  FROM jsonb_array_elements($1::jsonb) AS given(value)
ON CONFLICT (tenant_id, store_id, seq) DO UPDATE
   SET access_count = excluded.access_count, last_accessed = excluded.last_accessed,
       good = excluded.good, bad = excluded.bad, salt = excluded.salt,
       row_hash = excluded.row_hash;

-- name: add_evidence
INSERT INTO memory_evidence (seq, place, source_json, salt, row_hash) VALUES ($1, $2, $3, $4, $5);

-- name: next_place
-- Evidence may have been removed before, so the count of rows is not the next place.
SELECT coalesce(max(place) + 1, 0) FROM memory_evidence WHERE seq = $1;

-- name: withdraw_evidence
DELETE FROM memory_evidence WHERE seq = $1 AND source_json = $2 RETURNING 1;

-- name: drop_citation
DELETE FROM memory_cites WHERE span_id = $1 AND seq = $2;

-- name: evidence_of
SELECT e.seq, e.place, e.source_json, e.salt, e.row_hash
  FROM jsonb_array_elements_text($1::jsonb) AS wanted(value)
 CROSS JOIN LATERAL (
       SELECT * FROM memory_evidence o WHERE o.seq = wanted.value::bigint OFFSET 0) e
 ORDER BY e.seq, e.place;

-- name: drop_memory
DELETE FROM memory WHERE seq = $1;

-- name: drop_standing
DELETE FROM memory_standing WHERE seq = $1;

-- name: drop_usage
DELETE FROM memory_usage WHERE seq = $1;

-- name: drop_evidence
DELETE FROM memory_evidence WHERE seq = $1;

-- name: add_citation
INSERT INTO memory_cites (span_id, seq) VALUES ($1, $2) ON CONFLICT DO NOTHING;

-- name: spans_cited_only_by
-- A span that a person pinned stays.
SELECT c.span_id
  FROM memory_cites c
 CROSS JOIN LATERAL (SELECT * FROM span o WHERE o.id = c.span_id OFFSET 0) s
 WHERE c.seq = :seq AND s.pinned = 0
   AND NOT EXISTS (SELECT 1 FROM memory_cites o
                    WHERE o.span_id = c.span_id AND o.seq <> :seq OFFSET 0)
 ORDER BY c.span_id;

-- name: drop_citations
DELETE FROM memory_cites WHERE seq = $1;
