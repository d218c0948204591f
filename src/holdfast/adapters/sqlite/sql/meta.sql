-- name: put_meta
INSERT INTO meta (name, value, salt, row_hash) VALUES (?, ?, ?, ?)
ON CONFLICT (name) DO UPDATE
   SET value = excluded.value, salt = excluded.salt, row_hash = excluded.row_hash;

-- name: begun_with
-- Every unit of work reads these first: the schema, the newest event, and the store's values about itself.
SELECT (SELECT user_version FROM pragma_user_version),
       notes.name, notes.value, notes.salt, notes.row_hash,
       newest.sequence, newest.at, newest.action, newest.subject, newest.digest, newest.previous,
       newest.hash
  FROM meta notes
  LEFT JOIN (SELECT * FROM event ORDER BY sequence DESC LIMIT 1) newest;

-- name: drop_meta
DELETE FROM meta WHERE name = ?;
