-- name: put_ciphertext
INSERT INTO ciphertext (record, key_id, digest, body, salt, row_hash) VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (record) DO UPDATE
   SET key_id = excluded.key_id, digest = excluded.digest, body = excluded.body,
       salt = excluded.salt, row_hash = excluded.row_hash;

-- name: get_ciphertext
SELECT record, key_id, digest, body, salt, row_hash FROM ciphertext WHERE record = ?;

-- name: ciphertexts_alike
SELECT c.record, c.key_id, c.digest, c.body, c.salt, c.row_hash
  FROM json_each(?) wanted
  JOIN ciphertext c ON c.digest = wanted.value AND c.digest <> ''
 ORDER BY c.record;

-- name: ciphertexts_after
SELECT record, key_id, digest, body, salt, row_hash
  FROM ciphertext WHERE record > :beyond AND key_id <> :key_id ORDER BY record LIMIT :limit;

-- name: count_ciphertexts
SELECT key_id, count(*) FROM ciphertext GROUP BY key_id ORDER BY key_id;

-- name: drop_ciphertext
DELETE FROM ciphertext WHERE record = ?;

-- name: drop_ciphertexts_of
-- The records of an agent begin with its id and a space; '!' is the next character.
DELETE FROM ciphertext WHERE record > ?1 || ' ' AND record < ?1 || '!';
