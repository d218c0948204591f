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

-- name: get_standpoint
SELECT
-- include: standpoint_columns
  FROM standpoint p WHERE p.subject = ?;

-- name: standpoints_aside
-- The first row of each standpoint: rows came in the order of the memories.
SELECT
-- include: standpoint_columns
  FROM (SELECT min(rowid) AS first FROM standpoint INDEXED BY standpoint_aside
         WHERE repo = ? AND is_aside = 1 AND subject GLOB 'm_*'
         GROUP BY head, branch, is_shared) each_once
 CROSS JOIN standpoint p ON p.rowid = each_once.first
 ORDER BY p.rowid;

-- name: standpoints_of
SELECT
-- include: standpoint_columns
  FROM (SELECT min(rowid) AS first FROM standpoint
         WHERE repo = ? AND subject GLOB 'm_*'
         GROUP BY head, branch, is_aside, is_shared) each_once
 CROSS JOIN standpoint p ON p.rowid = each_once.first
 ORDER BY p.rowid;

-- name: tips_of
SELECT
-- include: standpoint_columns
  FROM standpoint p INDEXED BY standpoint_tip
 WHERE p.repo = ? AND p.subject GLOB 't_*' ORDER BY p.rowid;

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
