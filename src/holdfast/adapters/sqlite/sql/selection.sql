-- name: status_here
-- The same rule as View.seen: the status of a memory in a checkout.
  CASE WHEN s.status = 'accepted' AND :replaced IS NOT NULL
            AND m.id IN (SELECT value FROM json_each(:replaced)) THEN 'superseded'
       WHEN s.status = 'superseded' AND :restored IS NOT NULL
            AND m.id IN (SELECT value FROM json_each(:restored)) THEN 'accepted'
       ELSE s.status END

-- name: takes
-- The same rule as Selection.takes, in SQL; a parameter that is NULL does not restrict.
      (:space IS NULL OR m.space = :space)
  AND (:place_space IS NULL
       OR (m.space = :place_space
           AND (m.scope = 'global'
                OR (m.scope = 'workspace' AND m.workspace = :place_workspace)
                OR (m.scope = 'repo' AND m.repo = :place_repo))))
  AND (:scopes IS NULL OR m.scope IN (SELECT value FROM json_each(:scopes)))
  AND (:kinds IS NULL OR m.kind IN (SELECT value FROM json_each(:kinds)))
  AND (:origins IS NULL OR m.origin IN (SELECT value FROM json_each(:origins)))
  AND (:tags IS NULL
       OR NOT EXISTS (SELECT 1 FROM json_each(:tags) wanted
                       WHERE wanted.value NOT IN (SELECT value FROM json_each(m.tags))))
  AND (:key IS NULL OR m.key = :key)
  AND (:source IS NULL OR m.source = :source)
  AND (:near IS NULL OR m.near_hash = :near)
  AND (:expired_at IS NULL OR m.expires_at <= :expired_at)
  AND (:branches IS NULL OR m.branch IN (SELECT value FROM json_each(:branches)))
  AND (:statuses IS NULL
       OR
-- include: status_here
          IN (SELECT value FROM json_each(:statuses)))
  AND (:labels IS NULL OR s.label IN (SELECT value FROM json_each(:labels)))
  AND (:superseded_by IS NULL OR s.superseded_by = :superseded_by)
  AND (:pinned IS NULL OR s.pinned = :pinned)
  AND (:recallable_at IS NULL
       OR (
-- include: status_here
           = 'accepted'
           AND (s.pinned OR m.expires_at IS NULL OR m.expires_at > :recallable_at))
       OR (:own IS NOT NULL AND s.status IN ('noted', 'candidate')
           AND m.id IN (SELECT value FROM json_each(:own))
           AND (m.expires_at IS NULL OR m.expires_at > :recallable_at)))
  AND (:as_of IS NULL
       OR ((m.expires_at IS NULL OR m.expires_at > :as_of)
           AND (
-- include: status_here
                = 'accepted'
                OR (s.status = 'superseded' AND s.decided_at > :as_of))))
  AND (:unseen IS NULL
       OR NOT EXISTS (SELECT 1 FROM standpoint p
                       WHERE p.subject = m.id
                         AND p.is_aside || p.is_shared || ' ' || p.head
                             || coalesce(' ' || p.branch, '')
                             IN (SELECT value FROM json_each(:unseen))))

-- name: page_of
  AND (:after IS NULL OR m.seq > :after)
  AND (:before IS NULL OR m.seq < :before)
 ORDER BY CASE WHEN :oldest_first THEN m.seq ELSE -m.seq END
 LIMIT :limit

-- name: take_all_oldest_first
SELECT m.seq
  FROM memory m CROSS JOIN memory_standing s ON s.seq = m.seq
 WHERE m.seq > coalesce(:after, 0) AND
-- include: takes
 ORDER BY m.seq LIMIT :limit;

-- name: take_all_newest_first
SELECT m.seq
  FROM memory m CROSS JOIN memory_standing s ON s.seq = m.seq
 WHERE m.seq < coalesce(:before, 9223372036854775807) AND
-- include: takes
 ORDER BY m.seq DESC LIMIT :limit;

-- name: take_by_near
SELECT m.seq
  FROM memory m INDEXED BY memory_near CROSS JOIN memory_standing s ON s.seq = m.seq
 WHERE m.near_hash = :near AND
-- include: takes
-- include: page_of

-- name: take_by_key
SELECT m.seq
  FROM memory m INDEXED BY memory_key CROSS JOIN memory_standing s ON s.seq = m.seq
 WHERE m.key = :key AND
-- include: takes
-- include: page_of

-- name: take_by_source
SELECT m.seq
  FROM memory m INDEXED BY memory_source CROSS JOIN memory_standing s ON s.seq = m.seq
 WHERE m.source = :source AND m.source <> '' AND
-- include: takes
-- include: page_of

-- name: take_by_expiry
SELECT m.seq
  FROM memory m INDEXED BY memory_expiry CROSS JOIN memory_standing s ON s.seq = m.seq
 WHERE m.expires_at <= :expired_at AND
-- include: takes
-- include: page_of

-- name: take_by_labels
SELECT m.seq
  FROM json_each(:labels) wanted
 CROSS JOIN memory_standing s INDEXED BY standing_label ON s.label = wanted.value
 CROSS JOIN memory m ON m.seq = s.seq
 WHERE
-- include: takes
-- include: page_of

-- name: take_by_successor
SELECT m.seq
  FROM memory_standing s INDEXED BY standing_successor CROSS JOIN memory m ON m.seq = s.seq
 WHERE s.superseded_by = :superseded_by AND
-- include: takes
-- include: page_of

-- name: take_pinned
SELECT m.seq
  FROM memory_standing s INDEXED BY standing_pinned CROSS JOIN memory m ON m.seq = s.seq
 WHERE s.pinned = 1 AND
-- include: takes
-- include: page_of

-- name: take_waiting
-- Any status but accepted: such memories are few, and have their own index.
SELECT m.seq
  FROM memory_standing s INDEXED BY standing_waiting CROSS JOIN memory m ON m.seq = s.seq
 WHERE s.status IN (SELECT value FROM json_each(:statuses)) AND s.status <> 'accepted' AND
-- include: takes
-- include: page_of

-- name: take_by_repo
-- For selections with only the scope 'repo', in one repository.
SELECT m.seq
  FROM memory m INDEXED BY memory_repo CROSS JOIN memory_standing s ON s.seq = m.seq
 WHERE m.repo = :place_repo AND
-- include: takes
-- include: page_of

-- name: take_among
-- Filters these sequences; the result has no order.
SELECT m.seq
  FROM json_each(:among) among
 CROSS JOIN memory m ON m.seq = among.value
 CROSS JOIN memory_standing s ON s.seq = m.seq
 WHERE
-- include: takes
;

-- name: count_memories
SELECT count(*) FROM memory;

-- name: take_by_bands
-- The newest memories that share a part of their sketch with a claim.
SELECT m.seq
  FROM (SELECT DISTINCT b.seq FROM json_each(:bands) wanted
          CROSS JOIN memory_band b ON b.band = wanted.value
         ORDER BY b.seq DESC LIMIT :most) near
 CROSS JOIN memory m ON m.seq = near.seq
 CROSS JOIN memory_standing s ON s.seq = m.seq
 WHERE
-- include: takes
 ORDER BY m.seq DESC LIMIT :limit;

-- name: near_of_each
-- The query take_by_near for many claims.
SELECT wanted.key, m.seq
  FROM json_each(:hashes) wanted
 CROSS JOIN memory m INDEXED BY memory_near ON m.near_hash = unhex(wanted.value)
 CROSS JOIN memory_standing s ON s.seq = m.seq
 WHERE
-- include: takes
 ORDER BY wanted.key, m.seq;

-- name: bands_of_each
-- The query take_by_bands for many claims; a band is given with the number of its claim.
SELECT near.claim, m.seq
  FROM (SELECT claim, seq, row_number() OVER (PARTITION BY claim ORDER BY seq DESC) AS place
          FROM (SELECT DISTINCT wanted.value ->> 0 AS claim, b.seq
                  FROM json_each(:bands) wanted
                 CROSS JOIN memory_band b ON b.band = wanted.value ->> 1)) near
 CROSS JOIN memory m ON m.seq = near.seq
 CROSS JOIN memory_standing s ON s.seq = m.seq
 WHERE near.place <= :most AND
-- include: takes
 ORDER BY near.claim, m.seq DESC;

-- name: keyed_each
-- The newest memories with each key.
SELECT m.key, m.seq
  FROM json_each(:keys) wanted
 CROSS JOIN memory m INDEXED BY memory_key ON m.key = wanted.value
 CROSS JOIN memory_standing s ON s.seq = m.seq
 WHERE
-- include: takes
 ORDER BY m.seq DESC;
