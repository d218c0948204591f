-- name: put_token
INSERT INTO access_token
       (id, name, kind, may, secret_hash, created_at, expires_at, revoked_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (id) DO UPDATE
   SET name = excluded.name, kind = excluded.kind, may = excluded.may,
       secret_hash = excluded.secret_hash, created_at = excluded.created_at,
       expires_at = excluded.expires_at, revoked_at = excluded.revoked_at;

-- name: get_token
SELECT id, name, kind, may, secret_hash, created_at, expires_at, revoked_at
  FROM access_token WHERE id = ?;

-- name: all_tokens
SELECT id, name, kind, may, secret_hash, created_at, expires_at, revoked_at
  FROM access_token ORDER BY id;

-- name: put_reply
INSERT INTO reply (key, request_hash, status, body, at) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (key) DO UPDATE
   SET request_hash = excluded.request_hash, status = excluded.status, body = excluded.body,
       at = excluded.at;

-- name: get_reply
SELECT key, request_hash, status, body, at FROM reply WHERE key = ?;

-- name: page_of_replies
SELECT key, request_hash, status, body, at FROM reply WHERE key > ? ORDER BY key LIMIT ?;

-- name: drop_replies_until
DELETE FROM reply WHERE at <= ?;

-- name: empty_replies_about
-- An answer about the memory itself has its id; other answers are looked through for its text.
UPDATE reply SET body = NULL WHERE instr(body, ?) > 0;
