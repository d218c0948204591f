-- name: add_terms
-- The words of memories: for each its memory, the words of the whole memory, and its places. In the
-- order of the index, the server adds them faster.
INSERT INTO memory_term (seq, words, term, weight, places)
SELECT seq, words, term, weight, places::integer[]
  FROM unnest($1::bigint[], $2::integer[], $3::text[], $4::real[], $5::text[])
       AS given(seq, words, term, weight, places)
 ORDER BY term, seq;

-- name: count_all_added
UPDATE memory_stores
   SET last_memory = greatest(last_memory, added.last),
       total_memories = total_memories + added.memories,
       total_words = total_words + added.words
  FROM (SELECT max(seq) AS last, count(*) AS memories, sum(words) AS words
          FROM unnest($1::bigint[], $2::bigint[]) AS given(seq, words)) added
 WHERE id = current_store();

-- name: add_bands
INSERT INTO memory_band (band, seq)
SELECT band, seq FROM unnest($1::bigint[], $2::bigint[]) AS given(band, seq)
ON CONFLICT DO NOTHING;

-- name: add_many_parts
INSERT INTO memory_parts (seq, parts)
SELECT seq, parts FROM unnest($1::bigint[], $2::text[]) AS given(seq, parts);

-- name: unindex_memory
-- Removes the words of a memory, and subtracts them from the counters of the store. The index of the
-- numbers has the condition that they are positive; a statement that does not state it cannot use it.
WITH gone AS (
    DELETE FROM memory_term WHERE seq = $1 AND seq > 0 RETURNING term, words),
fewer AS (
    UPDATE common_term SET holding = holding - 1
     WHERE term = ANY (ARRAY(SELECT term FROM gone)) AND up_to >= $1)
UPDATE memory_stores
   SET total_memories = total_memories - 1,
       total_words = total_words - coalesce((SELECT max(words) FROM gone), 0)
 WHERE id = current_store();

-- name: text_of
-- Postgres keeps no prefixes of words apart from the words: there is no text to compare them with.
SELECT NULL WHERE $1::bigint IS NULL AND false;

-- name: separators
SELECT ''::bytea WHERE false;

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
WITH wanted(value) AS MATERIALIZED (
    SELECT jsonb_array_elements_text(:terms::jsonb)),
holding AS MATERIALIZED (
    SELECT o.seq
      FROM wanted
     CROSS JOIN LATERAL (
           SELECT t.seq FROM memory_term t WHERE t.term = wanted.value OFFSET 0) o
     GROUP BY o.seq HAVING count(*) = jsonb_array_length(:terms::jsonb))
SELECT t.seq, t.term, t.words, t.places
  FROM holding
 CROSS JOIN wanted
 CROSS JOIN LATERAL (
       SELECT * FROM memory_term o
        WHERE o.term = wanted.value AND o.seq = holding.seq OFFSET 0) t;

-- name: places_of_phrases
-- The places of the words of several phrases, in the memories that contain the rarest word of each.
SELECT wanted.number, t.seq, t.term, t.places
  FROM jsonb_to_recordset(:phrases::jsonb) AS wanted(number integer, rarest text, terms jsonb)
 CROSS JOIN LATERAL (
       SELECT o.seq FROM memory_term o WHERE o.term = wanted.rarest OFFSET 0) holding
 CROSS JOIN LATERAL jsonb_array_elements_text(wanted.terms) AS one(term)
 CROSS JOIN LATERAL (
       SELECT * FROM memory_term o
        WHERE o.term = one.term AND o.seq = holding.seq OFFSET 0) t;

-- name: extent_of_words
SELECT total_memories, total_words FROM memory_stores WHERE id = current_store();

-- name: counted_words
-- Each word of a search with its rarity, which is the same as in Spread.rarity. Of a common word,
-- only the memories are counted that were added since it was measured.
    SELECT p.number, p.block, p.term,
           CASE WHEN h.odds > 0 THEN greatest(ln(h.odds), 1e-6) ELSE 1e-6 END AS rarity
      FROM jsonb_to_recordset(:words::jsonb) AS p(number integer, block integer, term text)
     CROSS JOIN LATERAL (
           SELECT coalesce(max(c.holding), 0) AS holding, coalesce(max(c.up_to), 0) AS up_to
             FROM common_term c WHERE c.term = p.term) k
     CROSS JOIN LATERAL (
           SELECT k.holding + count(*) AS many
             FROM memory_term o WHERE o.term = p.term AND o.seq > k.up_to) n
     CROSS JOIN LATERAL (
           SELECT (:memories::double precision - n.many + 0.5) / (n.many + 0.5) AS odds
           OFFSET 0) h

-- name: scored_phrases
-- Phrases of several words are scored by the caller and passed as rows.
    SELECT f.number, f.block, f.seq, f.score
      FROM jsonb_to_recordset(:phrases::jsonb)
           AS f(number integer, block integer, seq bigint, score double precision)

-- name: bm25
-- BM25 with the constants of FTS5: k1 = 1.2, b = 0.75. Without the type, the server would multiply
-- the words of each row as decimal numbers.
           p.rarity * t.weight * 2.2::double precision
           / (t.weight + 1.2::double precision
              * (0.25::double precision
                 + 0.75::double precision * t.words / :usual::double precision)) AS score

-- name: match_words
-- A memory matches if it contains a word of the first block and of as many blocks as are required.
-- The first block has the rarest words: the memories that contain them are read, and the other words
-- are only looked up in these.
-- OFFSET makes the server look each word up in the index: before the first ANALYZE it would read all
-- words of the store instead. The sum is rounded, because its last digit depends on the order of the
-- terms, and ties are decided by the sequence.
WITH counted AS MATERIALIZED (
-- include: counted_words
),
phrase AS MATERIALIZED (
-- include: scored_phrases
),
first AS MATERIALIZED (
    SELECT p.block, t.seq,
-- include: bm25
      FROM counted p
     CROSS JOIN LATERAL (
           SELECT o.seq, o.weight, o.words FROM memory_term o WHERE o.term = p.term OFFSET 0) t
     WHERE p.block = 0
     UNION ALL
    SELECT f.block, f.seq, f.score FROM phrase f WHERE f.block = 0),
hit AS (
    SELECT f.block, f.seq, f.score FROM first f
     UNION ALL
    SELECT p.block, t.seq,
-- include: bm25
      FROM counted p
     CROSS JOIN LATERAL (
           SELECT o.seq, o.weight, o.words FROM memory_term o
            WHERE o.term = p.term AND o.seq = ANY (ARRAY(SELECT f.seq FROM first f)) OFFSET 0) t
     WHERE p.block > 0
     UNION ALL
    SELECT f.block, f.seq, f.score FROM phrase f WHERE f.block > 0)
SELECT seq, -round(sum(score) * 1e13) / 1e13 AS total
  FROM hit
 GROUP BY seq HAVING min(block) = 0 AND count(DISTINCT block) >= :blocks
 ORDER BY total, seq LIMIT :depth;

-- name: match_any_word
-- The query match_words for a search with one block: any of its words makes a match, so nothing is
-- kept aside for other blocks, and no row is sorted by its block.
WITH counted AS MATERIALIZED (
-- include: counted_words
)
SELECT seq, -round(sum(score) * 1e13) / 1e13 AS total
  FROM (SELECT t.seq,
-- include: bm25
          FROM counted p
         CROSS JOIN LATERAL (
               SELECT o.seq, o.weight, o.words FROM memory_term o WHERE o.term = p.term OFFSET 0) t
         UNION ALL
        SELECT f.seq, f.score FROM (
-- include: scored_phrases
        ) f) hit
 GROUP BY seq ORDER BY total, seq LIMIT :depth;

-- name: match_each_word
SELECT p.number, t.seq, -s.score
  FROM (
-- include: counted_words
       ) p
 CROSS JOIN LATERAL (
       SELECT o.seq, o.weight, o.words FROM memory_term o WHERE o.term = p.term OFFSET 0) t
 CROSS JOIN LATERAL (SELECT
-- include: bm25
       ) s
 UNION ALL
SELECT f.number, f.seq, -f.score FROM (
-- include: scored_phrases
       ) f;

-- name: match_newest_words
-- The newest matches among the newest memories that contain a word of the first block.
WITH word AS MATERIALIZED (
    SELECT p.block, p.term
      FROM jsonb_to_recordset(:words::jsonb) AS p(block integer, term text)),
phrase AS MATERIALIZED (
    SELECT f.block, f.seq
      FROM jsonb_to_recordset(:phrases::jsonb) AS f(block integer, seq bigint)),
first AS MATERIALIZED (
    SELECT t.seq
      FROM word p
     CROSS JOIN LATERAL (
           SELECT o.seq FROM memory_term o
            WHERE o.term = p.term ORDER BY o.seq DESC LIMIT :reach::bigint) t
     WHERE p.block = 0
     UNION
    SELECT f.seq FROM phrase f WHERE f.block = 0
     ORDER BY seq DESC LIMIT :reach::bigint),
hit AS (
    SELECT 0 AS block, f.seq FROM first f
     UNION ALL
    SELECT p.block, t.seq
      FROM word p
     CROSS JOIN LATERAL (
           SELECT o.seq FROM memory_term o
            WHERE o.term = p.term AND o.seq = ANY (ARRAY(SELECT f.seq FROM first f)) OFFSET 0) t
     WHERE p.block > 0
     UNION ALL
    SELECT f.block, f.seq FROM phrase f WHERE f.block > 0)
SELECT seq, -0.001::double precision
  FROM hit
 GROUP BY seq HAVING count(DISTINCT block) = :blocks
 ORDER BY seq DESC LIMIT :depth;

-- name: drop_all_terms
-- The counts of common words go with the words.
WITH counts AS (DELETE FROM common_term)
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

-- name: all_shares
SELECT term, share FROM common_term;

-- name: drop_bands
DELETE FROM memory_band
 WHERE band = ANY (ARRAY(SELECT jsonb_array_elements_text($1::jsonb)::bigint)) AND seq = $2;

-- name: drop_common_terms
DELETE FROM common_term;

-- name: add_common_terms
-- Each common word with the number of all memories that contain it, and the last of all memories
-- with words. A later memory has a larger sequence.
INSERT INTO common_term (term, share, holding, up_to)
SELECT given.term, given.share, n.many, last.seq
  FROM unnest($1::text[], $2::double precision[]) AS given(term, share)
 CROSS JOIN LATERAL (
       SELECT count(*) AS many FROM memory_term o WHERE o.term = given.term OFFSET 0) n
 CROSS JOIN (SELECT coalesce(max(seq), 0) AS seq FROM memory_term WHERE seq > 0) last;

-- name: sample_texts
-- About :size memories, evenly distributed over the whole history.
SELECT m.value, m.key, m.tags, p.parts
  FROM generate_series(1, :last::bigint, greatest(1, :last::bigint / :size::bigint)) AS step(seq)
 CROSS JOIN LATERAL (
       SELECT * FROM memory o WHERE o.seq BETWEEN step.seq AND step.seq ORDER BY o.seq) m
  LEFT JOIN LATERAL (SELECT * FROM memory_parts o WHERE o.seq = m.seq OFFSET 0) p ON true;
