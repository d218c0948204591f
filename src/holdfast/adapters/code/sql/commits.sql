-- name: create_commits
-- All of this is derived from the repository: a database of another version is discarded.

CREATE TABLE told (
    id      INTEGER PRIMARY KEY,   -- the row of told_fts too
    name    TEXT NOT NULL UNIQUE,  -- the commit's whole hash
    at      INTEGER NOT NULL,      -- when it was written, in seconds
    subject TEXT NOT NULL,
    body    TEXT NOT NULL,
    is_here INTEGER NOT NULL       -- 1 where it leads to what was checked out last
) STRICT;

CREATE INDEX told_elsewhere ON told (name) WHERE NOT is_here;

CREATE TABLE touched (
    told  INTEGER NOT NULL,
    place INTEGER NOT NULL,   -- the order inside the commit, from 0
    path  TEXT NOT NULL,
    base  TEXT NOT NULL COLLATE NOCASE,   -- the path's last name, which people ask for
    lines TEXT NOT NULL,      -- 10-12 40-40: the lines the commit left there
    PRIMARY KEY (told, place)
) STRICT, WITHOUT ROWID;

CREATE INDEX touched_base ON touched (base);

CREATE VIRTUAL TABLE told_fts USING fts5(
    subject,
    body,
    paths,   -- whole, in parts, and the words inside their names
    names,   -- the words inside the identifiers of subject and body
    content='', contentless_delete=1,
    tokenize="porter unicode61 remove_diacritics 2 tokenchars '_$'"
);

CREATE TABLE standing (
    name  TEXT PRIMARY KEY NOT NULL,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- name: standing
SELECT value FROM standing WHERE name = ?;

-- name: note_standing
INSERT INTO standing (name, value) VALUES (?, ?)
ON CONFLICT (name) DO UPDATE SET value = excluded.value;

-- name: forget_standing
DELETE FROM standing WHERE name = ?;

-- name: told_already
SELECT name FROM told WHERE name IN (SELECT value FROM json_each(?));

-- name: last_told
SELECT coalesce(max(id), 0) FROM told;

-- name: count_told
SELECT count(*) FROM told WHERE is_here;

-- name: add_told
-- Two processes may read the same commit at once: the first row is kept.
INSERT INTO told (id, name, at, subject, body, is_here) VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (name) DO NOTHING RETURNING id;

-- name: add_told_words
INSERT INTO told_fts (rowid, subject, body, paths, names) VALUES (?, ?, ?, ?, ?);

-- name: add_touched
INSERT INTO touched (told, place, path, base, lines) VALUES (?, ?, ?, ?, ?);

-- name: leave_all
UPDATE told SET is_here = 0;

-- name: leave
UPDATE told SET is_here = 0 WHERE name IN (SELECT value FROM json_each(?));

-- name: come_back
UPDATE told SET is_here = 1 WHERE name IN (SELECT value FROM json_each(?));

-- name: told_elsewhere
SELECT name FROM told WHERE NOT is_here;

-- name: drop_told
DELETE FROM told_fts WHERE rowid = (SELECT id FROM told WHERE name = ?1);
DELETE FROM touched WHERE told = (SELECT id FROM told WHERE name = ?1);
DELETE FROM told WHERE name = ?1;

-- name: told_by_words
-- ?3 lists the commits that are searched, as of a commit; without it, those that are here.
SELECT told_fts.rowid, bm25(told_fts, 3.0, 1.0, 1.0, 1.0) AS score
  FROM told_fts
  JOIN told ON told.id = told_fts.rowid
 WHERE told_fts MATCH ?1
   AND CASE WHEN ?3 IS NULL THEN told.is_here
            ELSE told.name IN (SELECT value FROM json_each(?3)) END
 ORDER BY score, told.at DESC, told.name
 LIMIT ?2;

-- name: told_by_base
-- Newest first: for a file with very many changes, the latest ones count.
SELECT touched.told, touched.path, touched.lines
  FROM touched
  JOIN told ON told.id = touched.told
 WHERE touched.base = ?1
   AND CASE WHEN ?3 IS NULL THEN told.is_here
            ELSE told.name IN (SELECT value FROM json_each(?3)) END
 ORDER BY told.at DESC, told.name
 LIMIT ?2;

-- name: read_told
SELECT id, name, at, subject, body FROM told WHERE id IN (SELECT value FROM json_each(?));

-- name: paths_of_told
SELECT told, path FROM touched WHERE told IN (SELECT value FROM json_each(?)) ORDER BY told, place;
