-- What a search needs to know of a word before it looks: how common it is.

CREATE TABLE common_term (
    term  TEXT PRIMARY KEY NOT NULL,
    share REAL NOT NULL   -- of the memories, measured on a sample
) STRICT, WITHOUT ROWID;

CREATE TABLE memory_band (
    band INTEGER NOT NULL,   -- what nearly equal claims share
    seq  INTEGER NOT NULL,
    PRIMARY KEY (band, seq)
) STRICT, WITHOUT ROWID;

PRAGMA user_version = 2;
