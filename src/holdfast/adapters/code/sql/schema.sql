-- name: create_code
-- All of this is derived from the checkout: a database of another version is discarded.

CREATE TABLE file (
    id         INTEGER PRIMARY KEY,
    path       TEXT NOT NULL UNIQUE,   -- from the root of the working tree, with slashes
    blob       BLOB NOT NULL,          -- the hash of the bytes that were read
    signature  TEXT NOT NULL,          -- what the disk says of an unchanged file; '' is never equal
    language   TEXT,
    has_errors INTEGER NOT NULL,       -- 1 where the grammar could not read all of it
    left_out   TEXT                    -- why it has no rows below; NULL where it has
) STRICT;

CREATE INDEX file_blob ON file (blob);

CREATE TABLE symbol (
    id        INTEGER PRIMARY KEY,
    file      INTEGER NOT NULL,
    place     INTEGER NOT NULL,   -- the order inside the file, from 0
    name      TEXT NOT NULL COLLATE NOCASE,   -- TokenStore.rotate
    short     TEXT NOT NULL COLLATE NOCASE,   -- rotate: what calls and questions name
    kind      TEXT NOT NULL,
    first     INTEGER NOT NULL,
    last      INTEGER NOT NULL,
    signature TEXT NOT NULL,
    doc       TEXT NOT NULL,
    gist      TEXT NOT NULL       -- the words of its body, where it has no documentation
) STRICT;

CREATE INDEX symbol_file  ON symbol (file, place);
CREATE INDEX symbol_short ON symbol (short);
CREATE INDEX symbol_name  ON symbol (name);

CREATE TABLE chunk (
    id     INTEGER PRIMARY KEY,   -- the row of chunk_fts too
    file   INTEGER NOT NULL,
    symbol INTEGER,               -- NULL where the lines belong to none
    first  INTEGER NOT NULL,
    last   INTEGER NOT NULL
) STRICT;

CREATE INDEX chunk_file   ON chunk (file, first);
CREATE INDEX chunk_symbol ON chunk (symbol) WHERE symbol IS NOT NULL;

-- Identifiers are indexed whole (text and title: underscore and dollar sign belong to the word) and
-- by their inner words (names: rotate_token and rotateToken give rotate, token). The text itself is
-- in the checkout, so it is not stored again.
CREATE VIRTUAL TABLE chunk_fts USING fts5(
    text,    -- the lines
    names,   -- the words inside identifiers of more than one word, as often as they occur
    path,    -- the words of the file's path, and the path's parts whole
    title,   -- the symbol's name, signature and documentation, whole and by their words
    content='', contentless_delete=1,
    tokenize="porter unicode61 remove_diacritics 2 tokenchars '_$'"
);

CREATE TABLE call (
    file   INTEGER NOT NULL,
    symbol INTEGER,               -- who calls; NULL outside of every symbol
    name   TEXT NOT NULL COLLATE NOCASE,   -- the last name of what is called
    line   INTEGER NOT NULL,
    receiver TEXT NOT NULL        -- what it is called on: '' for nothing, '?' for more than a name
) STRICT;

CREATE INDEX call_name   ON call (name);
CREATE INDEX call_symbol ON call (symbol) WHERE symbol IS NOT NULL;
CREATE INDEX call_file   ON call (file);

CREATE TABLE import (
    file   INTEGER NOT NULL,
    module TEXT NOT NULL,   -- as it is written
    PRIMARY KEY (file, module)
) STRICT, WITHOUT ROWID;

CREATE INDEX import_module ON import (module);

CREATE TABLE meta (
    name  TEXT PRIMARY KEY NOT NULL,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
