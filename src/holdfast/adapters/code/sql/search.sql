-- name: make_code_vocabulary
-- Term frequencies per chunk; the full-text index alone returns only its own score.
CREATE VIRTUAL TABLE IF NOT EXISTS temp.code_word USING fts5vocab('main', 'chunk_fts', 'row');
CREATE VIRTUAL TABLE IF NOT EXISTS temp.code_instance
    USING fts5vocab('main', 'chunk_fts', 'instance');

-- name: searched_files
SELECT file.id, file.path, sum(chunk.last - chunk.first + 1), count(*)
  FROM file JOIN chunk ON chunk.file = file.id
 GROUP BY file.id;

-- name: spread_of_words
-- CROSS JOIN forces one lookup per word instead of a scan of all words.
SELECT word.term, word.doc
  FROM json_each(?) AS given CROSS JOIN temp.code_word AS word ON word.term = given.value;

-- name: chunks_with_words
-- The words of the path are in every chunk of a file, so they are scored per file.
SELECT given.key, hit.doc, chunk.file, chunk.last - chunk.first + 1, count(*)
  FROM json_each(?) AS given
 CROSS JOIN temp.code_instance AS hit ON hit.term = given.value
 CROSS JOIN chunk ON chunk.id = hit.doc
 WHERE hit.col <> 'path'
 GROUP BY given.key, hit.doc;

-- name: symbols_named
-- A name that many files define does not distinguish them.
WITH few AS (
    SELECT given.value AS name
      FROM json_each(:names) AS given CROSS JOIN symbol ON symbol.short = given.value
     GROUP BY given.value
    HAVING count(DISTINCT symbol.file) <= :most
)
SELECT few.name, symbol.id, symbol.file, symbol.name, symbol.short, symbol.kind
  FROM few CROSS JOIN symbol ON symbol.short = few.name
 ORDER BY symbol.id;

-- name: symbols_qualified
SELECT symbol.file, symbol.name, symbol.first
  FROM json_each(?) AS given CROSS JOIN symbol ON symbol.name = given.value
 ORDER BY symbol.id
 LIMIT 200;

-- name: pieces_of_file
SELECT chunk.id, chunk.first, chunk.last, symbol.id, symbol.name, symbol.kind,
       symbol.first, symbol.last, symbol.signature, symbol.doc
  FROM chunk LEFT JOIN symbol ON symbol.id = chunk.symbol
 WHERE chunk.file = ?
 ORDER BY chunk.first, chunk.id;

-- name: symbols_in_file_named
SELECT id FROM symbol WHERE short = ?2 AND file = ?1 LIMIT 5;
