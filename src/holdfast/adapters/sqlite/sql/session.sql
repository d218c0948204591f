-- name: put_session
INSERT INTO session (id, tool, user, repo, branch, started_at, finished_at, salt, row_hash)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (id) DO UPDATE
   SET tool = excluded.tool, user = excluded.user, repo = excluded.repo,
       branch = excluded.branch, started_at = excluded.started_at,
       finished_at = excluded.finished_at, salt = excluded.salt, row_hash = excluded.row_hash;

-- name: session_columns
s.id, s.tool, s.user, s.repo, s.branch, s.started_at, s.finished_at, s.salt, s.row_hash,
-- include: standpoint_columns

-- name: get_session
SELECT
-- include: session_columns
  FROM session s LEFT JOIN standpoint p ON p.subject = s.id
 WHERE s.id = ?;

-- name: sessions_before
-- Every text sorts before a blob, so a blob as the bound starts with the newest.
SELECT
-- include: session_columns
  FROM session s LEFT JOIN standpoint p ON p.subject = s.id
 WHERE s.id < coalesce(:beyond, x'') ORDER BY s.id DESC LIMIT :limit;

-- name: last_turn
SELECT max(coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'interaction'), 0),
           coalesce((SELECT max(id) FROM interaction), 0));

-- name: put_turn
INSERT INTO interaction (id, session_id, ts, query, bundle_id, satisfied, notes, salt, row_hash)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (id) DO UPDATE
   SET session_id = excluded.session_id, ts = excluded.ts, query = excluded.query,
       bundle_id = excluded.bundle_id, satisfied = excluded.satisfied, notes = excluded.notes,
       salt = excluded.salt, row_hash = excluded.row_hash;

-- name: get_turn
SELECT id, session_id, ts, query, bundle_id, satisfied, notes, salt, row_hash
  FROM interaction WHERE id = ?;

-- name: turns_of
SELECT id, session_id, ts, query, bundle_id, satisfied, notes, salt, row_hash
  FROM interaction WHERE session_id = ? ORDER BY id;

-- name: turns_with
SELECT id, session_id, ts, query, bundle_id, satisfied, notes, salt, row_hash
  FROM interaction WHERE bundle_id = ? ORDER BY id;
