-- name: put_standpoint
INSERT INTO standpoint (subject, repo, branch, head, is_aside, is_shared, salt, row_hash)
VALUES (?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (subject) DO UPDATE
   SET repo = excluded.repo, branch = excluded.branch, head = excluded.head,
       is_aside = excluded.is_aside, is_shared = excluded.is_shared, salt = excluded.salt,
       row_hash = excluded.row_hash;

-- name: drop_standpoint
DELETE FROM standpoint WHERE subject = ? RETURNING 1;

-- name: standpoint_columns
p.subject, p.repo, p.branch, p.head, p.is_aside, p.is_shared, p.salt, p.row_hash

-- name: rewrite_columns
r.repo, r.old, r.new, r.how, r.at, r.salt, r.row_hash

-- name: get_standpoint
SELECT
-- include: standpoint_columns
  FROM standpoint p WHERE p.subject = ?;

-- name: standpoints_aside
-- The first row of each standpoint: rows are in the order of the memories. Tips come last.
SELECT
-- include: standpoint_columns
,
-- include: rewrite_columns
  FROM (SELECT 0 AS is_tip, min(rowid) AS first FROM standpoint INDEXED BY standpoint_aside
         WHERE repo = ?1 AND is_aside = 1 AND subject GLOB 'm_*'
         GROUP BY head, branch, is_shared
         UNION ALL
        SELECT 1, rowid FROM standpoint INDEXED BY standpoint_tip
         WHERE repo = ?1 AND subject GLOB 't_*' AND is_aside = 1) each_once
 CROSS JOIN standpoint p ON p.rowid = each_once.first
  LEFT JOIN rewrite r ON r.repo = p.repo AND r.old = p.head
 ORDER BY each_once.is_tip, p.rowid;

-- name: accepted_aside
SELECT DISTINCT p.branch
  FROM standpoint p INDEXED BY standpoint_aside
 CROSS JOIN memory m ON m.id = p.subject
 CROSS JOIN memory_standing s ON s.seq = m.seq AND s.status = 'accepted'
 WHERE p.repo = ?1 AND p.is_aside = 1 AND p.subject GLOB 'm_*' AND p.branch IS NOT NULL;

-- name: standpoints_of
SELECT
-- include: standpoint_columns
,
-- include: rewrite_columns
  FROM (SELECT 0 AS is_tip, min(rowid) AS first FROM standpoint
         WHERE repo = ?1 AND subject GLOB 'm_*'
         GROUP BY head, branch, is_aside, is_shared
         UNION ALL
        SELECT 1, rowid FROM standpoint INDEXED BY standpoint_tip
         WHERE repo = ?1 AND subject GLOB 't_*') each_once
 CROSS JOIN standpoint p ON p.rowid = each_once.first
  LEFT JOIN rewrite r ON r.repo = p.repo AND r.old = p.head
 ORDER BY each_once.is_tip, p.rowid;

-- name: put_rewrite
INSERT INTO rewrite (repo, old, new, how, at, salt, row_hash) VALUES (?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (repo, old) DO UPDATE
   SET new = excluded.new, how = excluded.how, at = excluded.at, salt = excluded.salt,
       row_hash = excluded.row_hash;

-- name: rewrites_of
SELECT r.repo, r.old, r.new, r.how, r.at, r.salt, r.row_hash
  FROM json_each(:commits) wanted
 CROSS JOIN rewrite r ON r.repo = :repo AND r.old = wanted.value;

-- name: rewrites_after
SELECT repo, old, new, how, at, salt, row_hash
  FROM rewrite WHERE (repo, old) > (?, ?) ORDER BY repo, old LIMIT ?;

-- name: supersessions_aside
-- Superseding pairs where at least one memory was written on a side branch: by a link, or by the
-- same key. Few memories are from side branches, so the query starts with them.
WITH aside AS MATERIALIZED (
    SELECT subject AS id, branch FROM standpoint INDEXED BY standpoint_aside
     WHERE repo = :repo AND is_aside = 1 AND subject GLOB 'm_*'),
pair (newer, older, is_linked) AS (
    SELECT l.src, l.dst, 1 FROM aside CROSS JOIN memory_link l ON l.src = aside.id
     WHERE l.kind = 'supersedes'
     UNION
    SELECT l.src, l.dst, 1 FROM aside CROSS JOIN memory_link l ON l.dst = aside.id
     WHERE l.kind = 'supersedes'
     UNION
    SELECT m.id, o.id, 0
      FROM aside
     CROSS JOIN memory m ON m.id = aside.id
     CROSS JOIN memory_standing ms ON ms.seq = m.seq AND ms.status = 'accepted'
     CROSS JOIN memory o INDEXED BY memory_key
        ON o.key = m.key AND o.space = m.space AND o.scope = m.scope AND o.repo = m.repo
           AND o.seq <> m.seq
     CROSS JOIN memory_standing os ON os.seq = o.seq AND os.status = 'accepted'
     WHERE NOT EXISTS (SELECT 1 FROM standpoint q
                        WHERE q.subject = o.id AND q.is_aside = 1 AND q.branch IS aside.branch)
       AND NOT EXISTS (SELECT 1 FROM memory_link k
                        WHERE k.src IN (m.id, o.id) AND k.dst IN (m.id, o.id)
                          AND k.kind IN ('supersedes', 'compatible')))
SELECT pair.newer, pair.older, pair.is_linked, ns.status IN ('accepted', 'superseded'),
       os.status = 'superseded' AND os.superseded_by IS pair.newer,
-- include: standpoint_columns
  FROM pair
 CROSS JOIN memory n ON n.id = pair.newer
 CROSS JOIN memory_standing ns ON ns.seq = n.seq
 CROSS JOIN memory o ON o.id = pair.older
 CROSS JOIN memory_standing os ON os.seq = o.seq
  LEFT JOIN standpoint p ON p.subject = pair.newer
 ORDER BY pair.is_linked, n.seq, o.seq;
