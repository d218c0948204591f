-- The kinds of memory in a table: one more kind is one more row, not another shape of memory.

CREATE TABLE kind (name TEXT PRIMARY KEY NOT NULL) STRICT, WITHOUT ROWID;

INSERT INTO kind (name) VALUES
    ('fact'), ('gotcha'), ('decision'), ('plan'), ('rule'), ('name-alias'), ('insight'),
    ('exemplar'), ('assumption'), ('invariant'), ('observation'), ('reflection'), ('result'),
    ('failure');

-- SQLite cannot alter a check, and to copy every memory would take minutes and twice the disk.
-- Only the text of the schema changes, as https://sqlite.org/lang_altertable.html describes it.
PRAGMA writable_schema = ON;

UPDATE sqlite_schema
   SET sql = replace(sql, 'CHECK (kind IN (
                     ''fact'', ''gotcha'', ''decision'', ''plan'', ''rule'', ''name-alias'', ''insight'',
                     ''exemplar'', ''assumption'', ''invariant'', ''observation'', ''reflection'',
                     ''result'', ''failure''))', 'REFERENCES kind (name)')
 WHERE type = 'table' AND name = 'memory';

PRAGMA writable_schema = RESET;

PRAGMA user_version = 6;
