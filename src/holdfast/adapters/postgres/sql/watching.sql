-- name: pulse
-- The newest event, and whether an event since the given one changed what can be recalled.
SELECT coalesce((SELECT max(sequence) FROM event), 0),
       EXISTS (SELECT 1 FROM event
                WHERE sequence > :since
                  AND action IN ('memory.added', 'memory.standing', 'memory.forgotten'));

-- name: cautions
-- Accepted memories of a place that contain all words of one of these names, with one of these
-- paths in their evidence, with a condition of their own for when to warn, or with
-- a check of files, whatever their kind.
WITH found (seq) AS (
    SELECT holding.seq
      FROM jsonb_array_elements(:words::jsonb) AS name(words)
     CROSS JOIN LATERAL (
               SELECT t.seq FROM memory_term t
                WHERE t.term = ANY (ARRAY(SELECT jsonb_array_elements_text(name.words)))
                GROUP BY t.seq
               HAVING count(*) = (SELECT count(DISTINCT word)
                                    FROM jsonb_array_elements_text(name.words) AS each(word))
           ) AS holding
     UNION
    SELECT c.seq
      FROM jsonb_array_elements_text(:paths::jsonb) AS wanted(path)
      JOIN span p ON p.path = wanted.path AND p.repo = :repo::text
     CROSS JOIN LATERAL (
           SELECT * FROM memory_cites o WHERE o.span_id BETWEEN p.id AND p.id ORDER BY o.span_id) c
     UNION
    SELECT w.seq FROM memory w WHERE strpos(w.metadata, '"when') > 0
     UNION
    SELECT c.seq FROM memory c WHERE strpos(c.metadata, '"holdfast.checks"') > 0
)
SELECT m.id, m.kind, m.value, m.origin, m.metadata, m.source_json,
       coalesce((SELECT json_agg(e.source_json ORDER BY e.place)::text
                   FROM memory_evidence e WHERE e.seq = m.seq), '[]')
  FROM found
 CROSS JOIN LATERAL (
       SELECT * FROM memory o WHERE o.seq BETWEEN found.seq AND found.seq ORDER BY o.seq) m
-- include: standing_of_m
 WHERE (m.kind IN ('failure', 'gotcha', 'invariant', 'rule')
        OR strpos(m.metadata, '"holdfast.checks"') > 0)
   AND (m.scope = 'global'
        OR (m.scope = 'workspace' AND m.workspace = :workspace)
        OR (m.scope = 'repo' AND m.repo = :repo::text))
   AND s.status = 'accepted'
   AND (s.pinned = 1 OR m.expires_at IS NULL OR m.expires_at > :now)
 ORDER BY m.seq DESC LIMIT 400;
