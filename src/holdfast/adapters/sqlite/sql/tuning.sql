-- name: put_tuning
INSERT INTO tuning (space, version, weights, learned_from, at, note, salt, row_hash)
VALUES (?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (space, version) DO UPDATE
   SET weights = excluded.weights, learned_from = excluded.learned_from, at = excluded.at,
       note = excluded.note, salt = excluded.salt, row_hash = excluded.row_hash;

-- name: newest_tuning
SELECT space, version, weights, learned_from, at, note, salt, row_hash
  FROM tuning WHERE space = ? ORDER BY version DESC LIMIT 1;

-- name: tunings_of
SELECT space, version, weights, learned_from, at, note, salt, row_hash
  FROM tuning WHERE space = ? ORDER BY version;
