-- name: models
SELECT id, name, dimension, memories, complete_to FROM embedding_model ORDER BY name;

-- name: model_named
-- Also returns the id of the store, its last memory and the newest change of the model, because
-- every search by meaning needs them.
SELECT m.id, m.name, m.dimension, m.memories, m.complete_to,
       (SELECT value FROM meta WHERE name = 'store_id'),
       max(coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'memory'), 0),
           coalesce((SELECT max(seq) FROM memory), 0)),
       c.number, c.seq, c.token
  FROM embedding_model m
  LEFT JOIN embedding_change c
    ON c.model = m.id
   AND c.number = (SELECT max(number) FROM embedding_change WHERE model = m.id)
 WHERE m.name = ?;

-- name: add_model
INSERT INTO embedding_model (name, dimension, memories, complete_to) VALUES (?, ?, 0, 0) RETURNING id;

-- name: drop_model
DELETE FROM embedding_model WHERE id = ?;

-- name: drop_model_vectors
DELETE FROM embedding WHERE place BETWEEN ?1 << 40 AND ((?1 + 1) << 40) - 1;

-- name: drop_model_changes
DELETE FROM embedding_change WHERE model = ?;

-- name: put_embedding
-- One number as the key instead of two: one B-tree lookup finds a vector.
INSERT INTO embedding (place, vectors, crc) VALUES ((?1 << 40) + ?2, ?3, ?4)
ON CONFLICT (place) DO UPDATE SET vectors = excluded.vectors, crc = excluded.crc;

-- name: drop_embedding
DELETE FROM embedding WHERE place = (?1 << 40) + ?2;

-- name: models_of
SELECT m.id FROM embedding_model m CROSS JOIN embedding e ON e.place = (m.id << 40) + ?;

-- name: put_embeddings
-- The rows are passed as one JSON list, with bytes in hexadecimal.
INSERT INTO embedding (place, vectors, crc)
SELECT (?1 << 40) + (value ->> 0), unhex(value ->> 1), value ->> 2 FROM json_each(?2) WHERE true
ON CONFLICT (place) DO UPDATE SET vectors = excluded.vectors, crc = excluded.crc;

-- name: log_embeddings
INSERT INTO embedding_change (model, number, seq, token)
SELECT ?1, newest + 1 + key, value ->> 0, value ->> 1
  FROM json_each(?2),
       (SELECT coalesce(max(number), 0) AS newest FROM embedding_change WHERE model = ?1);

-- name: last_embedding_change
SELECT number, seq, token FROM embedding_change WHERE model = ? ORDER BY number DESC LIMIT 1;

-- name: embedding_change_at
SELECT number, seq, token FROM embedding_change WHERE model = ? AND number = ?;

-- name: embedding_changes
SELECT number, seq, token FROM embedding_change
 WHERE model = ? AND number > ? ORDER BY number LIMIT ?;

-- name: count_embedded
SELECT count(*)
  FROM json_each(?2) wanted CROSS JOIN embedding e ON e.place = (?1 << 40) + wanted.value;

-- name: embeddings_of
SELECT wanted.value, e.vectors, e.crc
  FROM json_each(?2) wanted CROSS JOIN embedding e ON e.place = (?1 << 40) + wanted.value;

-- name: recount_models
UPDATE embedding_model
   SET memories = (SELECT count(*) FROM embedding
                    WHERE place BETWEEN id << 40 AND ((id + 1) << 40) - 1),
       complete_to = 0;

-- name: count_more
UPDATE embedding_model SET memories = memories + ?2 WHERE id = ?1;

-- name: move_completeness
UPDATE embedding_model SET complete_to = ?2 WHERE id = ?1;

-- name: lacking
SELECT m.seq FROM memory m
 WHERE m.seq > ?2
   AND NOT EXISTS (SELECT 1 FROM embedding e WHERE e.place = (?1 << 40) + m.seq)
 ORDER BY m.seq LIMIT ?3;

-- name: embedding_orphans
SELECT place >> 40, place & 1099511627775 FROM embedding
 WHERE place & 1099511627775 NOT IN (SELECT seq FROM memory)
    OR place >> 40 NOT IN (SELECT id FROM embedding_model);

-- name: miscounted_models
SELECT m.name FROM embedding_model m
 WHERE m.memories <> (SELECT count(*) FROM embedding
                       WHERE place BETWEEN m.id << 40 AND ((m.id + 1) << 40) - 1);

-- name: logged_sequences
SELECT DISTINCT seq FROM embedding_change WHERE model = ?;

-- name: embedded_sequences
SELECT place & 1099511627775 FROM embedding
 WHERE place BETWEEN ?1 << 40 AND ((?1 + 1) << 40) - 1;
