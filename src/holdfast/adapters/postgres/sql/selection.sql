-- name: status_here
-- The same rule as View.seen: the status of a memory in a checkout.
  CASE WHEN s.status = 'accepted' AND :replaced::text IS NOT NULL
            AND m.id IN (SELECT jsonb_array_elements_text(:replaced::jsonb)) THEN 'superseded'
       WHEN s.status = 'superseded' AND :restored::text IS NOT NULL
            AND m.id IN (SELECT jsonb_array_elements_text(:restored::jsonb)) THEN 'accepted'
       ELSE s.status END

-- name: takes
-- The same rule as Selection.takes, in SQL; a parameter that is NULL does not restrict.
      (:space::text IS NULL OR m.space = :space)
  AND (:place_space::text IS NULL
       OR (m.space = :place_space
           AND (m.scope = 'global'
                OR (m.scope = 'workspace' AND m.workspace = :place_workspace::text)
                OR (m.scope = 'repo' AND m.repo = :place_repo::text))))
  AND (:scopes::text IS NULL OR m.scope IN (SELECT jsonb_array_elements_text(:scopes::jsonb)))
  AND (:kinds::text IS NULL OR m.kind IN (SELECT jsonb_array_elements_text(:kinds::jsonb)))
  AND (:origins::text IS NULL OR m.origin IN (SELECT jsonb_array_elements_text(:origins::jsonb)))
  AND (:tags::text IS NULL
       OR NOT EXISTS (SELECT 1 FROM jsonb_array_elements_text(:tags::jsonb) AS wanted(value)
                       WHERE NOT EXISTS (SELECT 1 FROM memory_tag t
                                          WHERE t.tag = wanted.value AND t.seq = m.seq)))
  AND (:key::text IS NULL OR m.key = :key)
  AND (:source::text IS NULL OR m.source = :source)
  AND (:near::bytea IS NULL OR m.near_hash = :near)
  AND (:expired_at::bigint IS NULL OR m.expires_at <= :expired_at)
  AND (:branches::text IS NULL OR m.branch IN (SELECT jsonb_array_elements_text(:branches::jsonb)))
  AND (:statuses::text IS NULL
       OR
-- include: status_here
          IN (SELECT jsonb_array_elements_text(:statuses::jsonb)))
  AND (:labels::text IS NULL OR s.label IN (SELECT jsonb_array_elements_text(:labels::jsonb)))
  AND (:superseded_by::text IS NULL OR s.superseded_by = :superseded_by)
  AND (:pinned::integer IS NULL OR s.pinned = :pinned)
  AND (:recallable_at::bigint IS NULL
       OR (
-- include: status_here
           = 'accepted'
           AND (s.pinned = 1 OR m.expires_at IS NULL OR m.expires_at > :recallable_at))
       OR (:own::text IS NOT NULL AND s.status IN ('noted', 'candidate')
           AND m.id IN (SELECT jsonb_array_elements_text(:own::jsonb))
           AND (m.expires_at IS NULL OR m.expires_at > :recallable_at)))
  AND (:as_of::bigint IS NULL
       OR ((m.expires_at IS NULL OR m.expires_at > :as_of)
           AND (
-- include: status_here
                = 'accepted'
                OR (s.status = 'superseded' AND s.decided_at > :as_of))))
  AND (:unseen::text IS NULL
       OR NOT EXISTS (SELECT 1 FROM standpoint p
                       WHERE p.subject = m.id
                         AND p.is_aside::text || p.is_shared::text || ' ' || p.head
                             || coalesce(' ' || p.branch, '')
                             IN (SELECT jsonb_array_elements_text(:unseen::jsonb)) OFFSET 0))

-- name: page_of
  AND (:after::bigint IS NULL OR m.seq > :after)
  AND (:before::bigint IS NULL OR m.seq < :before)
 ORDER BY CASE WHEN :oldest_first::integer = 1 THEN m.seq ELSE -m.seq END
 LIMIT nullif(:limit::bigint, -1)

-- name: take_all_oldest_first
SELECT m.seq
  FROM memory m
-- include: standing_of_m
 WHERE m.seq > coalesce(:after::bigint, 0) AND
-- include: takes
 ORDER BY m.seq LIMIT nullif(:limit::bigint, -1);

-- name: take_all_newest_first
SELECT m.seq
  FROM memory m
-- include: standing_of_m
 WHERE m.seq < coalesce(:before::bigint, 9223372036854775807) AND
-- include: takes
 ORDER BY m.seq DESC LIMIT nullif(:limit::bigint, -1);

-- name: take_by_near
SELECT m.seq
  FROM (SELECT * FROM memory o WHERE o.near_hash BETWEEN :near AND :near ORDER BY o.near_hash) m
-- include: standing_of_m
 WHERE
-- include: takes
-- include: page_of

-- name: take_by_key
SELECT m.seq
  FROM (SELECT * FROM memory o WHERE o.key BETWEEN :key AND :key ORDER BY o.key) m
-- include: standing_of_m
 WHERE
-- include: takes
-- include: page_of

-- name: take_by_source
SELECT m.seq
  FROM memory m
-- include: standing_of_m
 WHERE md5(m.source) = md5(:source::text) AND m.source <> '' AND
-- include: takes
-- include: page_of

-- name: take_by_expiry
SELECT m.seq
  FROM memory m
-- include: standing_of_m
 WHERE m.expires_at <= :expired_at AND
-- include: takes
-- include: page_of

-- name: take_by_labels
SELECT m.seq
  FROM jsonb_array_elements_text(:labels::jsonb) AS wanted(value)
 CROSS JOIN LATERAL (SELECT * FROM memory_standing o WHERE o.label = wanted.value OFFSET 0) s
 CROSS JOIN LATERAL (SELECT * FROM memory o WHERE o.seq BETWEEN s.seq AND s.seq ORDER BY o.seq) m
 WHERE
-- include: takes
-- include: page_of

-- name: take_by_successor
SELECT m.seq
  FROM memory_standing s
 CROSS JOIN LATERAL (SELECT * FROM memory o WHERE o.seq BETWEEN s.seq AND s.seq ORDER BY o.seq) m
 WHERE s.superseded_by = :superseded_by AND
-- include: takes
-- include: page_of

-- name: take_pinned
SELECT m.seq
  FROM memory_standing s
 CROSS JOIN LATERAL (SELECT * FROM memory o WHERE o.seq BETWEEN s.seq AND s.seq ORDER BY o.seq) m
 WHERE s.pinned = 1 AND
-- include: takes
-- include: page_of

-- name: take_waiting
-- Any status but accepted: such memories are few, and have their own index.
SELECT m.seq
  FROM memory_standing s
 CROSS JOIN LATERAL (SELECT * FROM memory o WHERE o.seq BETWEEN s.seq AND s.seq ORDER BY o.seq) m
 WHERE s.status IN (SELECT jsonb_array_elements_text(:statuses::jsonb))
    AND s.status <> 'accepted' AND
-- include: takes
-- include: page_of

-- name: take_by_repo
-- For selections with only the scope 'repo', in one repository.
SELECT m.seq
  FROM memory m
-- include: standing_of_m
 WHERE m.repo = :place_repo::text AND
-- include: takes
-- include: page_of

-- name: take_among
-- Filters these sequences; the result has no order.
SELECT m.seq
  FROM jsonb_array_elements_text(:among::jsonb) AS wanted(value)
-- include: memory_with_sequence
-- include: standing_of_m
 WHERE
-- include: takes
;

-- name: count_memories
SELECT count(*) FROM memory;

-- name: take_by_bands
-- The newest memories that share a part of their sketch with a claim. OFFSET makes the server look
-- each part up in the index, also before it has statistics of the table.
SELECT m.seq
  FROM (SELECT DISTINCT b.seq FROM jsonb_array_elements_text(:bands::jsonb) AS wanted(value)
         CROSS JOIN LATERAL (
               SELECT o.seq FROM memory_band o WHERE o.band = wanted.value::bigint OFFSET 0) b
         ORDER BY b.seq DESC LIMIT :most) near
 CROSS JOIN LATERAL (
       SELECT * FROM memory o WHERE o.seq BETWEEN near.seq AND near.seq
        ORDER BY o.seq) m
-- include: standing_of_m
 WHERE
-- include: takes
 ORDER BY m.seq DESC LIMIT nullif(:limit::bigint, -1);

-- name: near_of_each
-- The query take_by_near for many claims.
SELECT wanted.key - 1, m.seq
  FROM jsonb_array_elements_text(:hashes::jsonb) WITH ORDINALITY AS wanted(value, key)
 CROSS JOIN LATERAL (
       SELECT * FROM memory o
        WHERE o.near_hash BETWEEN decode(wanted.value, 'hex')
          AND decode(wanted.value, 'hex') ORDER BY o.near_hash) m
-- include: standing_of_m
 WHERE
-- include: takes
 ORDER BY wanted.key, m.seq;

-- name: bands_of_each
-- The query take_by_bands for many claims; a band is given with the number of its claim.
SELECT near.claim, m.seq
  FROM (SELECT found.claim, found.seq,
               row_number() OVER (PARTITION BY found.claim ORDER BY found.seq DESC) AS place
          FROM (SELECT DISTINCT (wanted.value ->> 0)::bigint AS claim, b.seq
                  FROM jsonb_array_elements(:bands::jsonb) AS wanted(value)
                 CROSS JOIN LATERAL (
                       SELECT o.seq FROM memory_band o
                        WHERE o.band = (wanted.value ->> 1)::bigint OFFSET 0) b) found) near
 CROSS JOIN LATERAL (
       SELECT * FROM memory o WHERE o.seq BETWEEN near.seq AND near.seq
        ORDER BY o.seq) m
-- include: standing_of_m
 WHERE near.place <= :most AND
-- include: takes
 ORDER BY near.claim, m.seq DESC;

-- name: keyed_each
-- The newest memories with each key.
SELECT m.key, m.seq
  FROM jsonb_array_elements_text(:keys::jsonb) AS wanted(value)
 CROSS JOIN LATERAL (
       SELECT * FROM memory o WHERE o.key BETWEEN wanted.value AND wanted.value
        ORDER BY o.key) m
-- include: standing_of_m
 WHERE
-- include: takes
 ORDER BY m.seq DESC;
