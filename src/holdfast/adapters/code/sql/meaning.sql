-- name: create_meaning
-- Vectors by the hash of their text, so that they survive a rebuild of the index and a renamed file.

CREATE TABLE symbol_vector (
    model TEXT NOT NULL,      -- vectors of different models are never compared
    text  BLOB NOT NULL,      -- the hash of the embedded text
    value BLOB NOT NULL,      -- 32-bit floats, little-endian
    seal  INTEGER NOT NULL,   -- the checksum of the value
    PRIMARY KEY (model, text)
) STRICT;

-- name: described_symbols
-- Parts that are no unit of behaviour have no vector. Documented ones come first, because their
-- vectors say more, and a question that makes missing vectors has little time.
SELECT symbol.id, symbol.file, file.path, symbol.name, symbol.doc, symbol.gist
  FROM symbol JOIN file ON file.id = symbol.file
 WHERE (symbol.doc <> '' OR symbol.gist <> '')
   AND symbol.kind NOT IN ('constant', 'element', 'heading', 'key', 'property', 'rule', 'table')
 ORDER BY symbol.doc = '', symbol.id;

-- name: vectors_of_model
SELECT text, value, seal FROM symbol_vector WHERE model = ?;

-- name: texts_with_vector
SELECT text FROM symbol_vector WHERE model = ?;

-- name: put_vector
INSERT OR REPLACE INTO symbol_vector (model, text, value, seal) VALUES (?, ?, ?, ?);

-- name: drop_vectors_of_other_models
DELETE FROM symbol_vector WHERE model <> ?;

-- name: drop_vector
DELETE FROM symbol_vector WHERE model = ? AND text = ?;

-- name: has_vectors
SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'symbol_vector';

-- name: every_vector
SELECT value, seal FROM symbol_vector;
