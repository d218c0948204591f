-- name: models
SELECT id, name, dimension, memories, complete_to FROM embedding_model ORDER BY name;

-- name: model_named
-- Also returns the id of the store, its last memory and the newest change of the model, because
-- every search by meaning needs them.
SELECT m.id, m.name, m.dimension, m.memories, m.complete_to, s.id::text, s.last_memory,
       c.number, c.seq, c.token
  FROM embedding_model m
  JOIN memory_stores s ON s.id = current_store()
  LEFT JOIN LATERAL (SELECT number, seq, token FROM embedding_change
                      WHERE model = m.id ORDER BY number DESC LIMIT 1) c ON true
 WHERE m.name = $1;

-- name: add_model
WITH counted AS (
    UPDATE memory_stores SET last_model = last_model + 1, embedding_model = $1
     WHERE id = current_store()
    RETURNING last_model)
INSERT INTO embedding_model (id, name, dimension, memories, complete_to)
SELECT last_model, $1, $2, 0, 0 FROM counted RETURNING id;

-- name: drop_model
DELETE FROM embedding_model WHERE id = $1;

-- name: drop_model_vectors
DELETE FROM embedding WHERE model = $1;

-- name: drop_model_changes
DELETE FROM embedding_change WHERE model = $1;

-- name: drop_embedding
DELETE FROM embedding WHERE model = $1 AND seq = $2;

-- name: models_of
SELECT model FROM embedding WHERE seq = $1 ORDER BY model;

-- name: put_embeddings
-- The rows are passed as one JSON list, with bytes in hexadecimal.
INSERT INTO embedding (model, seq, vectors, crc)
SELECT $1, (value ->> 0)::bigint, decode(value ->> 1, 'hex'), (value ->> 2)::bigint
  FROM jsonb_array_elements($2::jsonb) AS given(value)
ON CONFLICT (tenant_id, store_id, model, seq) DO UPDATE
   SET vectors = excluded.vectors, crc = excluded.crc;

-- name: drop_vector_parts
DELETE FROM embedding_part
 WHERE model = $1 AND seq = ANY (ARRAY(SELECT jsonb_array_elements_text($2::jsonb)::bigint));

-- name: add_vector_parts
INSERT INTO embedding_part (model, seq, part, dimension, vector)
SELECT $1, (value ->> 0)::bigint, (value ->> 1)::integer, $3, (value ->> 2)::halfvec
  FROM jsonb_array_elements($2::jsonb) AS given(value);

-- name: vector_parts
SELECT seq, part, vector::text FROM embedding_part WHERE model = $1 ORDER BY seq, part;

-- name: drop_all_vector_parts
DELETE FROM embedding_part WHERE model = $1;

-- name: all_embeddings
SELECT seq, vectors, crc FROM embedding WHERE model = $1 AND seq > $2 ORDER BY seq LIMIT $3;

-- name: log_embeddings
INSERT INTO embedding_change (model, number, seq, token)
SELECT $1, newest + key, (value ->> 0)::bigint, (value ->> 1)::bigint
  FROM jsonb_array_elements($2::jsonb) WITH ORDINALITY AS given(value, key),
       (SELECT coalesce(max(number), 0) AS newest FROM embedding_change WHERE model = $1) before;

-- name: last_embedding_change
SELECT number, seq, token FROM embedding_change WHERE model = $1 ORDER BY number DESC LIMIT 1;

-- name: embedding_changes
SELECT number, seq, token FROM embedding_change
 WHERE model = $1 AND number > $2 ORDER BY number LIMIT $3;

-- name: count_embedded
SELECT count(*) FROM embedding
 WHERE model = $1 AND seq = ANY (ARRAY(SELECT jsonb_array_elements_text($2::jsonb)::bigint));

-- name: embeddings_of
SELECT seq, vectors, crc FROM embedding
 WHERE model = $1 AND seq = ANY (ARRAY(SELECT jsonb_array_elements_text($2::jsonb)::bigint));

-- name: recount_models
UPDATE embedding_model m
   SET memories = (SELECT count(*) FROM embedding e WHERE e.model = m.id), complete_to = 0;

-- name: count_more
UPDATE embedding_model SET memories = memories + $2 WHERE id = $1;

-- name: move_completeness
UPDATE embedding_model SET complete_to = $2 WHERE id = $1;

-- name: lacking
SELECT m.seq FROM memory m
 WHERE m.seq > $2
   AND NOT EXISTS (SELECT 1 FROM embedding e WHERE e.model = $1 AND e.seq = m.seq)
 ORDER BY m.seq LIMIT $3;

-- name: embedding_orphans
SELECT model, seq FROM embedding WHERE seq NOT IN (SELECT seq FROM memory);

-- name: miscounted_models
SELECT m.name FROM embedding_model m
 WHERE m.memories <> (SELECT count(*) FROM embedding e WHERE e.model = m.id);

-- name: logged_sequences
SELECT DISTINCT seq FROM embedding_change WHERE model = $1;

-- name: embedded_sequences
SELECT seq FROM embedding WHERE model = $1;

-- name: nearest_parts
-- Compares every vector of a model. A memory with several vectors comes once for each of them.
SELECT seq, 1 - distance
  FROM (SELECT seq, vector <=> $2::halfvec AS distance
          FROM embedding_part WHERE model = $1
         ORDER BY 2, 1 LIMIT $3) near;

-- name: nearest_parts_among
SELECT seq, 1 - distance
  FROM (SELECT seq, vector <=> $2::halfvec AS distance
          FROM embedding_part
         WHERE model = $1 AND seq = ANY (ARRAY(SELECT jsonb_array_elements_text($4::jsonb)::bigint))
         ORDER BY 2, 1 LIMIT $3) near;

-- name: vectors_beside
-- About how many vectors the partition of this tenant has: an estimate is enough to choose between
-- the index and a scan. The order makes the server look for a vector of this store in the index.
SELECT c.reltuples::bigint FROM pg_class c
 WHERE c.oid = (SELECT p.tableoid FROM embedding_part p WHERE p.model = $1 ORDER BY p.seq LIMIT 1);

-- name: nearest_by_index
-- How many candidates the index keeps while it searches is set first: the search reads the result.
SELECT near.seq, near.cosine
  FROM (SELECT set_config('hnsw.ef_search', $5, true) AS kept OFFSET 0) width,
       LATERAL nearest_by_index(
           $1, $2, $3::halfvec, CASE WHEN width.kept IS NOT NULL THEN $4 END) near;
