-- name: known_files
SELECT path, signature FROM file;

-- name: blob_of_file
SELECT blob FROM file WHERE path = ?;

-- name: file_with_blob
-- Another file with the same bytes has the same symbols.
SELECT id, path, language, has_errors FROM file WHERE blob = ? AND left_out IS NULL;

-- name: add_file
INSERT INTO file (id, path, blob, signature, language, has_errors, left_out)
VALUES (?, ?, ?, ?, ?, ?, ?);

-- name: number_of_file
SELECT id FROM file WHERE path = ?;

-- name: drop_file
DELETE FROM chunk_fts WHERE rowid IN (SELECT id FROM chunk WHERE file = :file);
DELETE FROM chunk WHERE file = :file;
DELETE FROM symbol WHERE file = :file;
DELETE FROM call WHERE file = :file;
DELETE FROM import WHERE file = :file;
DELETE FROM file WHERE id = :file;

-- name: touch_file
UPDATE file SET signature = ?1 WHERE path = ?2 AND blob = ?3;

-- name: add_symbol
INSERT INTO symbol (id, file, place, name, short, kind, first, last, signature, doc, gist)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- name: add_chunk
INSERT INTO chunk (id, file, symbol, first, last) VALUES (?, ?, ?, ?, ?);

-- name: add_words
INSERT INTO chunk_fts (rowid, text, names, path, title) VALUES (?, ?, ?, ?, ?);

-- name: add_call
INSERT INTO call (file, symbol, name, line, receiver) VALUES (?, ?, ?, ?, ?);

-- name: add_import
INSERT INTO import (file, module) VALUES (?, ?);

-- name: last_numbers
SELECT coalesce((SELECT max(id) FROM file), 0),
       coalesce((SELECT max(id) FROM symbol), 0),
       coalesce((SELECT max(id) FROM chunk), 0);

-- name: symbols_of_file
SELECT id, name, kind, first, last, signature, doc FROM symbol WHERE file = ? ORDER BY place;

-- name: chunks_of_file
SELECT first, last, symbol FROM chunk WHERE file = ? ORDER BY id;

-- name: calls_of_file
SELECT symbol, name, line, receiver FROM call WHERE file = ? ORDER BY rowid;

-- name: imports_of_file
SELECT module FROM import WHERE file = ?;

-- name: count_files
SELECT count(*) FROM file WHERE left_out IS NULL;

-- name: count_symbols
SELECT count(*) FROM symbol;

-- name: count_left_out
SELECT left_out, count(*) FROM file WHERE left_out IS NOT NULL GROUP BY left_out;

-- name: reader
SELECT value FROM meta WHERE name = 'reader';

-- name: note_reader
INSERT INTO meta (name, value) VALUES ('reader', ?)
ON CONFLICT (name) DO UPDATE SET value = excluded.value;

-- name: distrust_all
-- The parser version changed: every file is due again.
UPDATE file SET signature = '', blob = x'';
