-- name: badge
-- What waits for a decision; and whether the newest changes are missing, or were before.
SELECT (SELECT count(*) FROM memory_standing WHERE status = 'candidate' AND status <> 'accepted'),
       EXISTS (SELECT 1 FROM meta WHERE name = 'tail_lost')
       OR (?1 > 0 AND NOT EXISTS (SELECT 1 FROM event
                                   WHERE sequence = ?1 AND lower(hex(hash)) = ?2));
