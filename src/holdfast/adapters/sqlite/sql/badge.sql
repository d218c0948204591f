-- name: repository_of_folder
-- The list of known repositories is JSON, which SQLite parses without another import.
SELECT json_extract(:book, '$.folders."' || :identity || '".repository') WHERE json_valid(:book);

-- name: space_of_store
SELECT value FROM meta WHERE name = 'space';

-- name: warnings
-- Whether events are missing now, or were found missing before and not repaired.
SELECT EXISTS (SELECT 1 FROM meta WHERE name = 'tail_lost')
       OR (?1 > 0 AND NOT EXISTS (SELECT 1 FROM event
                                   WHERE sequence = ?1 AND lower(hex(hash)) = ?2));

-- name: accepted_among
-- How many of the memories are accepted; forgotten and superseded ones do not count.
SELECT count(*)
  FROM memory m JOIN memory_standing s ON s.seq = m.seq
 WHERE s.status = 'accepted'
   AND m.id IN (SELECT value FROM json_each('[' || replace(json_quote(:names), ',', '","') || ']'));

-- name: clashing
-- The open contradictions, each pair once: both are accepted or candidates, at least one is
-- accepted, and no person has resolved the pair.
    SELECT DISTINCT min(l.src, l.dst) AS one, max(l.src, l.dst) AS other
  FROM memory_link l
  JOIN memory m ON m.id = l.src JOIN memory_standing s ON s.seq = m.seq
  JOIN memory o ON o.id = l.dst JOIN memory_standing t ON t.seq = o.seq
 WHERE l.kind = 'contradicts'
   AND s.status IN ('candidate', 'accepted') AND t.status IN ('candidate', 'accepted')
   AND 'accepted' IN (s.status, t.status)
   AND (m.expires_at IS NULL OR m.expires_at > :now OR (s.pinned AND s.status = 'accepted'))
   AND (o.expires_at IS NULL OR o.expires_at > :now OR (t.pinned AND t.status = 'accepted'))
   AND NOT EXISTS (SELECT 1 FROM memory_link c
                    WHERE c.src IN (l.src, l.dst) AND c.dst IN (l.src, l.dst)
                      AND c.kind IN ('compatible', 'withdrawn', 'supersedes', 'derived-from'))

-- name: waiting_here
-- The candidates of a checkout, and the open contradictions between two memories of it.
WITH waiting (id) AS (
    SELECT m.id FROM memory_standing s JOIN memory m ON m.seq = s.seq
     WHERE s.status = 'candidate' AND s.status <> 'accepted'
       AND (m.scope = 'global' OR (m.scope = 'repo' AND m.repo = :repo))),
pair AS (
-- include: clashing
),
clash AS (
    SELECT one, other FROM pair
     WHERE NOT EXISTS (SELECT 1 FROM memory m
                        WHERE m.id IN (one, other)
                          AND m.scope = 'repo' AND m.repo IS NOT :repo))
SELECT (SELECT count(*) FROM waiting), (SELECT count(*) FROM clash),
-- Whether only the whole engine can count: it finds the merged branches and the workspace.
       EXISTS (SELECT 1 FROM memory_standing s JOIN memory m ON m.seq = s.seq
                WHERE s.status = 'candidate' AND s.status <> 'accepted' AND m.scope = 'workspace')
       OR EXISTS (SELECT 1 FROM waiting JOIN standpoint p ON p.subject = waiting.id
                   WHERE p.is_aside = 1 AND p.branch IS NOT :branch)
       OR EXISTS (SELECT 1 FROM clash JOIN memory m ON m.id IN (one, other)
                   WHERE m.scope = 'workspace'
                      OR EXISTS (SELECT 1 FROM standpoint p
                                  WHERE p.subject = m.id AND p.is_aside = 1)
                      OR EXISTS (SELECT 1 FROM memory_link l JOIN standpoint p ON p.subject = l.src
                                  WHERE l.dst = m.id AND l.kind = 'supersedes' AND p.is_aside = 1)
                      OR EXISTS (SELECT 1 FROM memory k JOIN standpoint p ON p.subject = k.id
                                  WHERE k.key = m.key AND k.repo = m.repo AND p.is_aside = 1));
