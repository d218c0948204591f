-- name: put_standpoint
INSERT INTO standpoint (subject, repo, branch, head, is_aside, is_shared, salt, row_hash)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
ON CONFLICT (tenant_id, store_id, subject) DO UPDATE
   SET repo = excluded.repo, branch = excluded.branch, head = excluded.head,
       is_aside = excluded.is_aside, is_shared = excluded.is_shared, salt = excluded.salt,
       row_hash = excluded.row_hash;

-- name: drop_standpoint
DELETE FROM standpoint WHERE subject = $1 RETURNING 1;

-- name: standpoint_columns
p.subject, p.repo, p.branch, p.head, p.is_aside, p.is_shared, p.salt, p.row_hash

-- name: rewrite_columns
r.repo, r.old, r.new, r.how, r.at, r.salt, r.row_hash

-- name: get_standpoint
SELECT
-- include: standpoint_columns
  FROM standpoint p WHERE p.subject = $1;

-- name: standpoints_aside
-- The first row of each standpoint: rows are in the order of the memories. Tips come last.
WITH aside AS MATERIALIZED (
    SELECT * FROM standpoint WHERE repo BETWEEN $1 AND $1 AND is_aside = 1 ORDER BY repo, subject)
SELECT
-- include: standpoint_columns
,
-- include: rewrite_columns
  FROM (SELECT 0 AS is_tip, min(place) AS first FROM aside
         WHERE starts_with(subject, 'm_') GROUP BY head, branch, is_shared
         UNION ALL
        SELECT 1, place FROM aside WHERE starts_with(subject, 't_')) each_once
  JOIN aside p ON p.place = each_once.first
  LEFT JOIN LATERAL (
       SELECT * FROM rewrite o WHERE o.repo = p.repo AND o.old = p.head OFFSET 0) r ON true
 ORDER BY each_once.is_tip, p.place;

-- name: accepted_aside
SELECT DISTINCT p.branch
  FROM standpoint p
 CROSS JOIN LATERAL (
       SELECT * FROM memory o WHERE o.id BETWEEN p.subject AND p.subject ORDER BY o.id) m
-- include: standing_of_m
 WHERE p.repo = $1 AND p.is_aside = 1 AND starts_with(p.subject, 'm_') AND p.branch IS NOT NULL
   AND s.status = 'accepted';

-- name: standpoints_of
WITH here AS MATERIALIZED (
    SELECT * FROM standpoint WHERE repo BETWEEN $1 AND $1 ORDER BY repo, place)
SELECT
-- include: standpoint_columns
,
-- include: rewrite_columns
  FROM (SELECT 0 AS is_tip, min(place) AS first FROM here
         WHERE starts_with(subject, 'm_') GROUP BY head, branch, is_aside, is_shared
         UNION ALL
        SELECT 1, place FROM here WHERE starts_with(subject, 't_')) each_once
  JOIN here p ON p.place = each_once.first
  LEFT JOIN LATERAL (
       SELECT * FROM rewrite o WHERE o.repo = p.repo AND o.old = p.head OFFSET 0) r ON true
 ORDER BY each_once.is_tip, p.place;

-- name: put_rewrite
INSERT INTO rewrite (repo, old, new, how, at, salt, row_hash) VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT (tenant_id, store_id, repo, old) DO UPDATE
   SET new = excluded.new, how = excluded.how, at = excluded.at, salt = excluded.salt,
       row_hash = excluded.row_hash;

-- name: rewrites_of
SELECT r.repo, r.old, r.new, r.how, r.at, r.salt, r.row_hash
  FROM jsonb_array_elements_text(:commits::jsonb) AS wanted(value)
 CROSS JOIN LATERAL (
       SELECT * FROM rewrite o WHERE o.repo = :repo AND o.old = wanted.value OFFSET 0) r;

-- name: rewrites_after
SELECT repo, old, new, how, at, salt, row_hash
  FROM rewrite WHERE (repo, old) > ($1, $2) ORDER BY repo, old LIMIT $3;

-- name: supersessions_aside
-- Superseding pairs where at least one memory was written on a side branch: by a link, or by the
-- same key. Few memories are from side branches, so the query starts with them.
WITH aside AS MATERIALIZED (
    SELECT subject AS id, branch FROM standpoint
     WHERE repo BETWEEN :repo AND :repo AND is_aside = 1 AND starts_with(subject, 'm_')
     ORDER BY repo, subject),
pair (newer, older, is_linked) AS (
    SELECT l.src, l.dst, 1
      FROM aside
     CROSS JOIN LATERAL (
           SELECT * FROM memory_link o WHERE o.src BETWEEN aside.id AND aside.id ORDER BY o.src) l
     WHERE l.kind = 'supersedes'
     UNION
    SELECT l.src, l.dst, 1
      FROM aside
     CROSS JOIN LATERAL (
           SELECT * FROM memory_link o WHERE o.dst BETWEEN aside.id AND aside.id ORDER BY o.dst) l
     WHERE l.kind = 'supersedes'
     UNION
    SELECT m.id, o.id, 0
      FROM aside
     CROSS JOIN LATERAL (
           SELECT * FROM memory x WHERE x.id BETWEEN aside.id AND aside.id ORDER BY x.id) m
     CROSS JOIN LATERAL (SELECT * FROM memory_standing x WHERE x.seq = m.seq OFFSET 0) ms
     CROSS JOIN LATERAL (
           SELECT * FROM memory x WHERE x.key BETWEEN m.key AND m.key ORDER BY x.key) o
     CROSS JOIN LATERAL (SELECT * FROM memory_standing x WHERE x.seq = o.seq OFFSET 0) os
     WHERE ms.status = 'accepted' AND os.status = 'accepted'
       AND o.space = m.space AND o.scope = m.scope AND o.repo = m.repo AND o.seq <> m.seq
       AND NOT EXISTS (SELECT 1 FROM standpoint q
                        WHERE q.subject BETWEEN o.id AND o.id AND q.is_aside = 1
                          AND q.branch IS NOT DISTINCT FROM aside.branch OFFSET 0)
       AND NOT EXISTS (SELECT 1 FROM memory_link k
                        WHERE k.src IN (m.id, o.id) AND k.dst IN (m.id, o.id)
                          AND k.kind IN ('supersedes', 'compatible') OFFSET 0))
SELECT pair.newer, pair.older, pair.is_linked, ns.status IN ('accepted', 'superseded'),
       os.status = 'superseded' AND os.superseded_by IS NOT DISTINCT FROM pair.newer,
-- include: standpoint_columns
  FROM pair
 CROSS JOIN LATERAL (
       SELECT * FROM memory x WHERE x.id BETWEEN pair.newer AND pair.newer ORDER BY x.id) n
 CROSS JOIN LATERAL (SELECT * FROM memory_standing x WHERE x.seq = n.seq OFFSET 0) ns
 CROSS JOIN LATERAL (
       SELECT * FROM memory x WHERE x.id BETWEEN pair.older AND pair.older ORDER BY x.id) o
 CROSS JOIN LATERAL (SELECT * FROM memory_standing x WHERE x.seq = o.seq OFFSET 0) os
  LEFT JOIN LATERAL (
       SELECT * FROM standpoint x WHERE x.subject BETWEEN pair.newer AND pair.newer
        ORDER BY x.subject) p ON true
 ORDER BY pair.is_linked, n.seq, o.seq;
