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

-- name: put_session_record
INSERT INTO session_record (subject, number, repo, branch, hidden, at, body, salt, row_hash)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (subject, number) DO UPDATE
   SET repo = excluded.repo, branch = excluded.branch, hidden = excluded.hidden,
       at = excluded.at, body = excluded.body, salt = excluded.salt,
       row_hash = excluded.row_hash;

-- name: get_session_record
SELECT subject, number, repo, branch, hidden, at, body, salt, row_hash
  FROM session_record WHERE subject = ? AND number = ?;

-- name: session_records_of
SELECT subject, number, repo, branch, hidden, at, body, salt, row_hash
  FROM session_record WHERE subject = ? AND number > 0 ORDER BY number;

-- name: newest_session_turns
SELECT subject, number, repo, branch, hidden, at, body, salt, row_hash
  FROM session_record
 WHERE repo = :repo AND number > 0 AND hidden = 0 AND branch IS :branch
 ORDER BY at DESC, subject DESC, number DESC LIMIT :limit;

-- name: newest_turns_elsewhere
SELECT subject, number, repo, branch, hidden, at, body, salt, row_hash
  FROM session_record
 WHERE repo = :repo AND number > 0 AND hidden = 0 AND branch IS NOT :branch
 ORDER BY at DESC, subject DESC, number DESC LIMIT :limit;

-- name: newest_session_caches
SELECT subject, number, repo, branch, hidden, at, body, salt, row_hash
  FROM session_record
 WHERE repo = :repo AND number = 0 AND subject >= 'i_' AND subject < 'j'
 ORDER BY at DESC, subject DESC LIMIT :limit;

-- name: project_states_after
SELECT subject, number, repo, branch, hidden, at, body, salt, row_hash
  FROM session_record
 WHERE number = 0 AND subject > 'project ' || :beyond AND subject < 'project!'
 ORDER BY subject LIMIT :limit;
