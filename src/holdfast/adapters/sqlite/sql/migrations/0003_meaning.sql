-- What stands around a memory, and what it means.

CREATE INDEX memory_kind ON memory (kind);
CREATE INDEX memory_wide ON memory (scope) WHERE scope <> 'repo';

CREATE TABLE memory_tag (
    tag TEXT NOT NULL,
    seq INTEGER NOT NULL,
    PRIMARY KEY (tag, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE memory_turn (
    seq    INTEGER PRIMARY KEY,
    thread TEXT NOT NULL,   -- the conversation or history it was said in
    turn   INTEGER NOT NULL
) STRICT;

CREATE INDEX turn_thread ON memory_turn (thread, turn);

CREATE TABLE memory_name (
    name TEXT NOT NULL,   -- its key and its title, without case and marks
    seq  INTEGER NOT NULL,
    PRIMARY KEY (name, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE embedding_model (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    name        TEXT NOT NULL UNIQUE,
    dimension   INTEGER NOT NULL,
    memories    INTEGER NOT NULL,   -- how many have vectors of it
    complete_to INTEGER NOT NULL    -- up to this number, every memory has
) STRICT;

-- Derived too, but costly to make: kept as long as its memory is.

CREATE TABLE embedding (
    place   INTEGER PRIMARY KEY,   -- the model's number times 2^40, and the memory's
    vectors BLOB NOT NULL,         -- 16-bit floats; several vectors stand one after the other
    crc     INTEGER NOT NULL       -- of those bytes
) STRICT;

CREATE TABLE embedding_change (
    model  INTEGER NOT NULL,
    number INTEGER NOT NULL,
    seq    INTEGER NOT NULL,    -- whose vectors were put or removed
    token  INTEGER NOT NULL,    -- by chance: the same number in another past has another
    PRIMARY KEY (model, number)
) STRICT, WITHOUT ROWID;

-- How a space weighs what speaks for a memory, where it learned that. This is truth.

CREATE TABLE tuning (
    space        TEXT NOT NULL,
    version      INTEGER NOT NULL,
    weights      TEXT NOT NULL CHECK (json_valid(weights)),   -- by name; none: the defaults
    learned_from INTEGER NOT NULL,
    at           INTEGER NOT NULL,
    note         TEXT NOT NULL,
    salt         BLOB NOT NULL,
    row_hash     BLOB NOT NULL CHECK (length(row_hash) = 32),
    PRIMARY KEY (space, version)
) STRICT;

PRAGMA user_version = 3;
