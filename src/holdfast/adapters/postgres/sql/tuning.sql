-- name: put_tuning
INSERT INTO tuning (space, version, weights, learned_from, at, note, salt, row_hash)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
ON CONFLICT (tenant_id, store_id, space, version) DO UPDATE
   SET weights = excluded.weights, learned_from = excluded.learned_from, at = excluded.at,
       note = excluded.note, salt = excluded.salt, row_hash = excluded.row_hash;

-- name: newest_tuning
SELECT space, version, weights, learned_from, at, note, salt, row_hash
  FROM tuning WHERE space = $1 ORDER BY version DESC LIMIT 1;

-- name: tunings_of
SELECT space, version, weights, learned_from, at, note, salt, row_hash
  FROM tuning WHERE space = $1 ORDER BY version;
