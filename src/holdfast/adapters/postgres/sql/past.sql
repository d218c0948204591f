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
SELECT
-- include: standpoint_columns
,
-- include: rewrite_columns
  FROM (SELECT 0 AS is_tip, min(place) AS first FROM standpoint
         WHERE repo = $1 AND is_aside = 1 AND starts_with(subject, 'm_')
         GROUP BY head, branch, is_shared
         UNION ALL
        SELECT 1, place FROM standpoint
         WHERE repo = $1 AND starts_with(subject, 't_') AND is_aside = 1) each_once
 JOIN standpoint p ON p.place = each_once.first
  LEFT JOIN rewrite r ON r.repo = p.repo AND r.old = p.head
 ORDER BY each_once.is_tip, p.place;

-- name: accepted_aside
SELECT DISTINCT p.branch
  FROM standpoint p
 JOIN memory m ON m.id = p.subject
 JOIN memory_standing s ON s.seq = m.seq AND s.status = 'accepted'
 WHERE p.repo = $1 AND p.is_aside = 1 AND starts_with(p.subject, 'm_') AND p.branch IS NOT NULL;

-- name: standpoints_of
SELECT
-- include: standpoint_columns
,
-- include: rewrite_columns
  FROM (SELECT 0 AS is_tip, min(place) AS first FROM standpoint
         WHERE repo = $1 AND starts_with(subject, 'm_')
         GROUP BY head, branch, is_aside, is_shared
         UNION ALL
        SELECT 1, place FROM standpoint
         WHERE repo = $1 AND starts_with(subject, 't_')) each_once
 JOIN standpoint p ON p.place = each_once.first
  LEFT JOIN rewrite r ON r.repo = p.repo AND r.old = p.head
 ORDER BY each_once.is_tip, p.place;

-- name: put_rewrite
INSERT INTO rewrite (repo, old, new, how, at, salt, row_hash) VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT (tenant_id, store_id, repo, old) DO UPDATE
   SET new = excluded.new, how = excluded.how, at = excluded.at, salt = excluded.salt,
       row_hash = excluded.row_hash;

-- name: rewrites_of
SELECT r.repo, r.old, r.new, r.how, r.at, r.salt, r.row_hash
  FROM jsonb_array_elements_text(:commits::jsonb) AS wanted(value)
 JOIN rewrite r ON r.repo = :repo AND r.old = wanted.value;

-- name: rewrites_after
SELECT repo, old, new, how, at, salt, row_hash
  FROM rewrite WHERE (repo, old) > ($1, $2) ORDER BY repo, old LIMIT $3;

-- name: supersessions_aside
-- Superseding pairs where at least one memory was written on a side branch: by a link, or by the
-- same key. Few memories are from side branches, so the query starts with them.
WITH aside AS MATERIALIZED (
    SELECT subject AS id, branch FROM standpoint
     WHERE repo = :repo AND is_aside = 1 AND starts_with(subject, 'm_')),
pair (newer, older, is_linked) AS (
    SELECT l.src, l.dst, 1 FROM aside JOIN memory_link l ON l.src = aside.id
     WHERE l.kind = 'supersedes'
     UNION
    SELECT l.src, l.dst, 1 FROM aside JOIN memory_link l ON l.dst = aside.id
     WHERE l.kind = 'supersedes'
     UNION
    SELECT m.id, o.id, 0
      FROM aside
     JOIN memory m ON m.id = aside.id
     JOIN memory_standing ms ON ms.seq = m.seq AND ms.status = 'accepted'
     JOIN memory o ON o.key = m.key AND o.space = m.space AND o.scope = m.scope AND o.repo = m.repo
           AND o.seq <> m.seq
     JOIN memory_standing os ON os.seq = o.seq AND os.status = 'accepted'
     WHERE NOT EXISTS (SELECT 1 FROM standpoint q
                        WHERE q.subject = o.id AND q.is_aside = 1
                           AND q.branch IS NOT DISTINCT FROM aside.branch)
       AND NOT EXISTS (SELECT 1 FROM memory_link k
                        WHERE k.src IN (m.id, o.id) AND k.dst IN (m.id, o.id)
                          AND k.kind IN ('supersedes', 'compatible')))
SELECT pair.newer, pair.older, pair.is_linked, ns.status IN ('accepted', 'superseded'),
       os.status = 'superseded' AND os.superseded_by IS NOT DISTINCT FROM pair.newer,
-- include: standpoint_columns
  FROM pair
 JOIN memory n ON n.id = pair.newer
 JOIN memory_standing ns ON ns.seq = n.seq
 JOIN memory o ON o.id = pair.older
 JOIN memory_standing os ON os.seq = o.seq
  LEFT JOIN standpoint p ON p.subject = pair.newer
 ORDER BY pair.is_linked, n.seq, o.seq;
