-- The parts of a seal: 0 is a block of the index, 1 the list of the blocks of one segment, and 2 the
-- sizes of 64 memories. A number of a block contains its segment from bit 37 on; bit 36 marks a
-- block that only helps to skip others.
--
-- Queries with the columns part, number, seal and content return a row for each seal and a row for
-- each part of the index.

-- name: put_seals
INSERT INTO main.word_seal (part, number, seal)
SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?) WHERE true
    ON CONFLICT DO UPDATE SET seal = excluded.seal;

-- name: drop_seals
DELETE FROM main.word_seal
 WHERE (part, number) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?));

-- name: drop_all_seals
DELETE FROM main.word_seal;

-- name: sealed_index
SELECT part, number, seal, NULL FROM main.word_seal
 UNION ALL
SELECT 0, id, NULL, block FROM main.memory_fts_data
 UNION ALL
SELECT 1, segid, NULL, group_concat(hex(term) || ' ' || pgno, ' ' ORDER BY term)
  FROM main.memory_fts_idx GROUP BY segid
 UNION ALL
SELECT 2, id >> 6, NULL, group_concat(id || ' ' || hex(sz), ' ' ORDER BY id)
  FROM main.memory_fts_docsize GROUP BY id >> 6;

-- name: sealed_sizes
SELECT part, number, seal, NULL
  FROM main.word_seal WHERE part = 2 AND number IN (SELECT value FROM json_each(:numbers))
 UNION ALL
SELECT 2, wanted.value, NULL, group_concat(size.id || ' ' || hex(size.sz), ' ' ORDER BY size.id)
  FROM json_each(:numbers) wanted
  JOIN main.memory_fts_docsize size
    ON size.id BETWEEN wanted.value << 6 AND (wanted.value << 6) + 63
 GROUP BY wanted.value;

-- name: changed_parts
-- The seals of blocks that were replaced, and the lists and sizes that changed.
SELECT part, number, seal, NULL
  FROM main.word_seal WHERE part = 0 AND number IN (SELECT value FROM json_each(:replaced))
 UNION ALL
SELECT 1, segid, NULL, group_concat(hex(term) || ' ' || pgno, ' ' ORDER BY term)
  FROM main.memory_fts_idx WHERE segid IN (SELECT value FROM json_each(:lists)) GROUP BY segid
 UNION ALL
SELECT 2, wanted.value, NULL, group_concat(size.id || ' ' || hex(size.sz), ' ' ORDER BY size.id)
  FROM json_each(:sizes) wanted
  JOIN main.memory_fts_docsize size
    ON size.id BETWEEN wanted.value << 6 AND (wanted.value << 6) + 63
 GROUP BY wanted.value;

-- name: sealed_search
-- What a search reads. The first one also reads the blocks of the averages (1) and of the segments
-- (10), the lists, all sizes if they are few, and the last number and the count of memories as part
-- 3. A segment lists the first word of each block, so the block of a word is the last one that does
-- not begin after it; its hits may go on in the next.
WITH extent (last) AS MATERIALIZED (
    SELECT max(coalesce((SELECT seq FROM main.sqlite_sequence WHERE name = 'memory'), 0),
               coalesce((SELECT max(seq) FROM main.memory), 0))
),
place (start, first, beyond) AS (
    SELECT list.number << 37,
           (SELECT pgno FROM main.memory_fts_idx
             WHERE segid = list.number AND term <= unhex(word.value)
             ORDER BY term DESC LIMIT 1),
           (SELECT pgno FROM main.memory_fts_idx
             WHERE segid = list.number AND term > unhex(word.value)
             ORDER BY term LIMIT 1)
      FROM json_each(:words) word CROSS JOIN main.word_seal list
     WHERE list.part = 1
),
wanted (number) AS MATERIALIZED (
    SELECT seal.number
      FROM place JOIN main.word_seal seal
        ON seal.part = 0 AND seal.number BETWEEN start + first / 2
                                             AND start + coalesce(beyond / 2, (1 << 31) - 1)
     UNION
    SELECT seal.number
      FROM place JOIN main.word_seal seal
        ON seal.part = 0 AND seal.number BETWEEN start + (1 << 36) AND start + (1 << 37) - 1
     WHERE first & 1
     UNION
    SELECT value FROM json_each('[1, 10]') WHERE :is_first
)
SELECT part, number, seal, NULL FROM main.word_seal
 WHERE part = 0 AND number IN (SELECT number FROM wanted)
 UNION ALL
SELECT 0, id, NULL, block FROM main.memory_fts_data WHERE id IN (SELECT number FROM wanted)
 UNION ALL
SELECT part, number, seal, NULL FROM main.word_seal
 WHERE :is_first AND (part = 1 OR (part = 2 AND (SELECT last FROM extent) <= :few))
 UNION ALL
SELECT 1, segid, NULL, group_concat(hex(term) || ' ' || pgno, ' ' ORDER BY term)
  FROM main.memory_fts_idx WHERE :is_first GROUP BY segid
 UNION ALL
SELECT 2, id >> 6, NULL, group_concat(id || ' ' || hex(sz), ' ' ORDER BY id)
  FROM main.memory_fts_docsize
 WHERE :is_first AND (SELECT last FROM extent) <= :few GROUP BY id >> 6
 UNION ALL
SELECT 3, last, (SELECT count(*) FROM main.memory), NULL FROM extent WHERE :is_first;
