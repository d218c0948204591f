-- name: index_memory
INSERT INTO memory_fts (rowid, value, key, tags, parts) VALUES (?, ?, ?, ?, ?);

-- name: unindex_memory
-- FTS5 must get exactly the text that was indexed.
INSERT INTO memory_fts (memory_fts, rowid, value, key, tags, parts)
SELECT 'delete', seq, value, key, tags, parts FROM memory_text WHERE seq = ?;

-- name: add_parts
INSERT INTO memory_parts (seq, parts) VALUES (?, ?);

-- name: drop_parts
DELETE FROM memory_parts WHERE seq = ?;

-- name: match
-- ORDER BY the expression, not by rank: rank calls bm25 in a slower way (3x for 1M memories).
SELECT rowid, bm25(memory_fts, 1.0, 2.0, 1.5, 0.5) AS score
  FROM memory_fts WHERE memory_fts MATCH :expression
 ORDER BY score, rowid LIMIT :depth;

-- name: match_helped
-- Every memory with a rare word; the other words of the expression only help to rank it. FTS5 would
-- visit every memory with a common word to rank all of them in one query.
WITH helped (seq, score) AS MATERIALIZED (
    SELECT rowid, bm25(memory_fts, 1.0, 2.0, 1.5, 0.5)
      FROM memory_fts WHERE memory_fts MATCH :expression)
SELECT seq, score FROM helped
 UNION ALL
SELECT rowid, bm25(memory_fts, 1.0, 2.0, 1.5, 0.5)
  FROM memory_fts WHERE memory_fts MATCH :rare AND rowid NOT IN (SELECT seq FROM helped)
 ORDER BY score, seq LIMIT :depth;

-- name: match_each
-- Each expression by itself, for a store that is small enough to weight every word.
SELECT wanted.key, memory_fts.rowid, bm25(memory_fts, 1.0, 2.0, 1.5, 0.5)
  FROM json_each(?) wanted CROSS JOIN memory_fts WHERE memory_fts MATCH wanted.value;

-- name: match_newest
-- For words that are in nearly every memory: the newest first, without scoring all of them, and
-- ranked below every scored hit.
SELECT rowid, -0.001 AS score
  FROM memory_fts WHERE memory_fts MATCH :expression
 ORDER BY rowid DESC LIMIT :depth;

-- name: match_for_each
-- The query match for many expressions: the best of each as JSON, in the order of the expressions.
SELECT wanted.key, (SELECT json_group_array(json_array(best.seq, best.score)) FROM (
    SELECT rowid AS seq, bm25(memory_fts, 1.0, 2.0, 1.5, 0.5) AS score
      FROM memory_fts WHERE memory_fts MATCH wanted.value
     ORDER BY score, rowid LIMIT :depth) best)
  FROM json_each(:expressions) wanted;

-- name: match_helped_for_each
-- A memory that both queries find has its better score from the first: more words give a better one.
-- NOT IN would run the first query again for each memory, because it depends on the outer row.
SELECT wanted.key, (SELECT json_group_array(json_array(best.seq, best.score)) FROM (
    SELECT seq, min(score) AS score FROM (
        SELECT rowid AS seq, bm25(memory_fts, 1.0, 2.0, 1.5, 0.5) AS score
          FROM memory_fts WHERE memory_fts MATCH wanted.value
         UNION ALL
        SELECT rowid, bm25(memory_fts, 1.0, 2.0, 1.5, 0.5)
          FROM memory_fts WHERE memory_fts MATCH :rares ->> wanted.key)
     GROUP BY seq ORDER BY score, seq LIMIT :depth) best)
  FROM json_each(:expressions) wanted;

-- name: match_newest_for_each
SELECT wanted.key, (SELECT json_group_array(json_array(best.seq, -0.001)) FROM (
    SELECT rowid AS seq FROM memory_fts WHERE memory_fts MATCH wanted.value
     ORDER BY rowid DESC LIMIT :depth) best)
  FROM json_each(:expressions) wanted;

-- name: count_matches
-- Counting stops where a word is common enough: the exact number would only cost time.
SELECT wanted.value, (SELECT count(*) FROM (
    SELECT 1 FROM memory_fts WHERE memory_fts MATCH wanted.value LIMIT :most))
  FROM json_each(:expressions) wanted;

-- name: mentioning
-- The memories that contain each expression, in no order. One more than are wanted shows that a
-- name is common.
SELECT wanted.key, (SELECT json_group_array(seq) FROM (
    SELECT rowid AS seq FROM memory_fts WHERE memory_fts MATCH wanted.value LIMIT :most))
  FROM json_each(:expressions) wanted;

-- name: text_of
SELECT value, key, tags, parts FROM memory_text WHERE seq = ?;

-- name: separators
-- The index stores prefixes of some words apart from the words themselves.
SELECT term FROM memory_fts_idx WHERE length(term) > 4;

-- name: make_vocabulary
CREATE VIRTUAL TABLE IF NOT EXISTS temp.memory_vocab USING fts5vocab('main', 'memory_fts', 'row');

-- name: any_word_between
SELECT 1 FROM temp.memory_vocab WHERE term >= ?1 AND term < ?2 LIMIT 1;

-- name: write_words_anew
-- Merging needs two segments; a temporary text creates the second one.
INSERT INTO memory_fts (rowid, value) VALUES (-1, 'residue');
INSERT INTO memory_fts (memory_fts) VALUES ('flush');
INSERT INTO memory_fts (memory_fts, rowid, value) VALUES ('delete', -1, 'residue');
INSERT INTO memory_fts (memory_fts) VALUES ('optimize');

-- name: flush_words
INSERT INTO memory_fts (memory_fts) VALUES ('flush');

-- name: merge_words
-- Eight pages; a unit of work writes about one page for a memory, and each level needs one more.
INSERT INTO memory_fts (memory_fts, rank) VALUES ('merge', 8);

-- name: rebuild_words
INSERT INTO memory_fts (memory_fts) VALUES ('rebuild');

-- name: extent
-- The last number and the count of memories: block 1 of the index starts with its own count.
SELECT max(coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'memory'), 0),
           coalesce((SELECT max(seq) FROM memory), 0)),
       (SELECT count(*) FROM memory),
       (SELECT block FROM memory_fts_data WHERE id = 1);

-- name: drop_words_beside
DROP TABLE IF EXISTS temp.memory_fts;

-- name: make_words_beside
CREATE VIRTUAL TABLE temp.memory_fts USING fts5(
    value, key, tags, parts, tokenize='porter unicode61 remove_diacritics 2'
);
INSERT INTO temp.memory_fts (rowid, value, key, tags, parts)
SELECT seq, value, key, tags, parts FROM memory_text;

-- name: drop_all_parts
DELETE FROM memory_parts;

-- name: drop_all_citations
DELETE FROM memory_cites;

-- name: drop_all_bands
DELETE FROM memory_band;

-- name: shares_of
SELECT term, share FROM common_term WHERE term IN (SELECT value FROM json_each(?));

-- name: add_band
INSERT INTO memory_band (band, seq) VALUES (?, ?) ON CONFLICT DO NOTHING;

-- name: drop_bands
DELETE FROM memory_band WHERE band IN (SELECT value FROM json_each(?1)) AND seq = ?2;

-- name: drop_common_terms
DELETE FROM common_term;

-- name: add_common_term
INSERT INTO common_term (term, share) VALUES (?, ?);

-- name: sample_texts
-- About :size memories, evenly distributed over the whole history.
WITH RECURSIVE step(seq, width) AS (
    SELECT 1, max(1, :last / :size)
     UNION ALL
    SELECT seq + width, width FROM step WHERE seq + width <= :last
)
SELECT t.value, t.key, t.tags, t.parts FROM step JOIN memory_text t ON t.seq = step.seq;
