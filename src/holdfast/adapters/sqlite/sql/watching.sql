-- name: pulse
-- The newest event, and whether an event since the given one changed what can be recalled.
SELECT coalesce((SELECT max(sequence) FROM event), 0),
       EXISTS (SELECT 1 FROM event
                WHERE sequence > ?1
                  AND action IN ('memory.added', 'memory.standing', 'memory.forgotten'));

-- name: cautions
-- Accepted memories of a place with one of these words in their claim, with one of these paths in
-- their evidence, with a condition of their own for when to warn, or with
-- a check of files, whatever their kind.
WITH found (seq) AS (
    SELECT rowid FROM memory_fts WHERE memory_fts MATCH :words
     UNION
    SELECT c.seq FROM json_each(:paths) path
     CROSS JOIN span p ON p.path = path.value AND p.repo = :repo AND p.repo IS NOT NULL
     CROSS JOIN memory_cites c ON c.span_id = p.id
     UNION
    SELECT w.seq FROM memory w WHERE instr(w.metadata, '"when') > 0
     UNION
    SELECT c.seq FROM memory c WHERE instr(c.metadata, '"holdfast.checks"') > 0
)
SELECT m.id, m.kind, m.value, m.origin, m.metadata, m.source_json,
       (SELECT json_group_array(e.source_json) FROM memory_evidence e WHERE e.seq = m.seq)
  FROM found
 CROSS JOIN memory m ON m.seq = found.seq
 CROSS JOIN memory_standing s ON s.seq = m.seq
 WHERE (m.kind IN ('failure', 'gotcha', 'invariant', 'rule')
        OR instr(m.metadata, '"holdfast.checks"') > 0)
   AND (m.scope = 'global'
        OR (m.scope = 'workspace' AND m.workspace = :workspace)
        OR (m.scope = 'repo' AND m.repo = :repo))
   AND s.status = 'accepted'
   AND (s.pinned OR m.expires_at IS NULL OR m.expires_at > :now)
 ORDER BY m.seq DESC LIMIT 400;
