-- Checksums of the parts of memory_fts, which FTS5 writes without any.

CREATE TABLE word_seal (
    part   INTEGER NOT NULL,   -- 0: a block, 1: the list of a segment's blocks, 2: sizes of texts
    number INTEGER NOT NULL,
    seal   INTEGER NOT NULL,   -- CRC-32
    PRIMARY KEY (part, number)
) STRICT, WITHOUT ROWID;

PRAGMA user_version = 17;
