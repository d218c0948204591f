-- name: add_terms
-- The words of a memory; each row is the word, its weight and its places.
INSERT INTO memory_term (term, seq, weight, words, places)
SELECT value ->> 0, $1, (value ->> 1)::real, $2,
       ARRAY(SELECT jsonb_array_elements_text(value -> 2)::integer)
  FROM jsonb_array_elements($3::jsonb) AS given(value);

-- name: count_added
UPDATE memory_stores
   SET last_memory = greatest(last_memory, $1), total_memories = total_memories + 1,
       total_words = total_words + $2
 WHERE id = current_store();

-- name: unindex_memory
-- Removes the words of a memory, and subtracts them from the counters of the store.
WITH gone AS (
    DELETE FROM memory_term WHERE seq = $1 RETURNING words)
UPDATE memory_stores
   SET total_memories = total_memories - 1,
       total_words = total_words - coalesce((SELECT max(words) FROM gone), 0)
 WHERE id = current_store();

-- name: text_of
-- Postgres keeps no prefixes of words apart from the words: there is no text to compare them with.
SELECT NULL WHERE $1::bigint IS NULL AND false;

-- name: separators
SELECT ''::bytea WHERE false;

-- name: add_parts
INSERT INTO memory_parts (seq, parts) VALUES ($1, $2);

-- name: drop_parts
DELETE FROM memory_parts WHERE seq = $1;

-- name: spread_of
-- How many memories contain each word; counting stops at the limit.
SELECT wanted.value, (SELECT count(*) FROM (
           SELECT 1 FROM memory_term t
              WHERE t.term = wanted.value LIMIT nullif(:most::bigint, -1)) few)
  FROM jsonb_array_elements_text(:terms::jsonb) AS wanted(value);

-- name: places_of
-- The places of several words in the memories that contain all of them.
SELECT t.seq, t.term, t.words, t.places
  FROM memory_term t
 WHERE t.term = ANY (ARRAY(SELECT jsonb_array_elements_text(:terms::jsonb)))
   AND t.seq IN (SELECT o.seq FROM memory_term o
                  WHERE o.term = ANY (ARRAY(SELECT jsonb_array_elements_text(:terms::jsonb)))
                  GROUP BY o.seq HAVING count(*) = jsonb_array_length(:terms::jsonb));

-- name: extent_of_words
SELECT total_memories, total_words FROM memory_stores WHERE id = current_store();

-- name: scored
-- BM25 with the constants of FTS5: k1 = 1.2, b = 0.75. Phrases of several words are scored by the
-- caller and passed as rows. OFFSET makes the server look each word up in the index: before the
-- first ANALYZE it would read all words of the store instead.
    SELECT p.number, p.block, t.seq,
           p.rarity * t.weight * 2.2
           / (t.weight + 1.2 * (0.25 + 0.75 * t.words / :usual::double precision)) AS score
      FROM jsonb_to_recordset(:words::jsonb)
           AS p(number integer, block integer, term text, rarity double precision)
     CROSS JOIN LATERAL (
           SELECT o.seq, o.weight, o.words FROM memory_term o WHERE o.term = p.term OFFSET 0) t
     UNION ALL
    SELECT f.number, f.block, f.seq, f.score
      FROM jsonb_to_recordset(:phrases::jsonb)
           AS f(number integer, block integer, seq bigint, score double precision)

-- name: match_words
-- A memory matches if each block of words has one that it contains. The sum is rounded, because its
-- last digit depends on the order of the terms, and ties are decided by the sequence.
SELECT seq, -round(sum(score) * 1e13) / 1e13 AS total
  FROM (
-- include: scored
       ) hit
 GROUP BY seq HAVING count(DISTINCT block) = :blocks
 ORDER BY total, seq LIMIT :depth;

-- name: match_each_word
SELECT number, seq, -score FROM (
-- include: scored
       ) hit;

-- name: match_newest_words
SELECT seq, -0.001::double precision
  FROM (
-- include: scored
       ) hit
 GROUP BY seq HAVING count(DISTINCT block) = :blocks
 ORDER BY seq DESC LIMIT :depth;

-- name: drop_all_terms
DELETE FROM memory_term;

-- name: reset_word_counts
UPDATE memory_stores SET total_memories = 0, total_words = 0 WHERE id = current_store();

-- name: drop_all_parts
DELETE FROM memory_parts;

-- name: drop_all_citations
DELETE FROM memory_cites;

-- name: drop_all_bands
DELETE FROM memory_band;

-- name: shares_of
SELECT term, share FROM common_term
 WHERE term = ANY (ARRAY(SELECT jsonb_array_elements_text($1::jsonb)));

-- name: add_band
INSERT INTO memory_band (band, seq) VALUES ($1, $2) ON CONFLICT DO NOTHING;

-- name: drop_bands
DELETE FROM memory_band
 WHERE band = ANY (ARRAY(SELECT jsonb_array_elements_text($1::jsonb)::bigint)) AND seq = $2;

-- name: drop_common_terms
DELETE FROM common_term;

-- name: add_common_term
INSERT INTO common_term (term, share) VALUES ($1, $2);

-- name: sample_texts
-- About :size memories, evenly distributed over the whole history.
SELECT m.value, m.key, m.tags, p.parts
  FROM generate_series(1, :last::bigint, greatest(1, :last::bigint / :size::bigint)) AS step(seq)
  JOIN memory m ON m.seq = step.seq
  LEFT JOIN memory_parts p ON p.seq = m.seq;
