-- name: badge
-- What waits for a decision; how much contradicts something that stands, which people may have
-- said themselves; and whether the newest changes are missing, or were before.
SELECT (SELECT count(*) FROM memory_standing WHERE status = 'candidate' AND status <> 'accepted'),
       (SELECT count(DISTINCT l.src)
          FROM memory_link l
          JOIN memory m ON m.id = l.src JOIN memory_standing s ON s.seq = m.seq
          JOIN memory o ON o.id = l.dst JOIN memory_standing t ON t.seq = o.seq
         WHERE l.kind = 'contradicts'
           AND s.status IN ('candidate', 'accepted') AND t.status IN ('candidate', 'accepted')
           AND 'accepted' IN (s.status, t.status)
           AND NOT EXISTS (SELECT 1 FROM memory_link c
                            WHERE c.src IN (l.src, l.dst) AND c.dst IN (l.src, l.dst)
                              AND c.kind IN ('compatible', 'withdrawn', 'supersedes',
                                             'derived-from'))),
       EXISTS (SELECT 1 FROM meta WHERE name = 'tail_lost')
       OR (?1 > 0 AND NOT EXISTS (SELECT 1 FROM event
                                   WHERE sequence = ?1 AND lower(hex(hash)) = ?2));
