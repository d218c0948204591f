-- What was said in sessions: the words of people and agents, to be quoted, never as knowledge. The
-- rows of said are sealed, but they are no events; the other three tables are derived from them.

CREATE TABLE said (
    session_id TEXT NOT NULL REFERENCES session (id),
    number     INTEGER NOT NULL CHECK (number > 0),
    seq        INTEGER NOT NULL UNIQUE,   -- a later turn has a larger one
    repo       TEXT NOT NULL,             -- '' outside a repository
    at         INTEGER NOT NULL,
    body       TEXT NOT NULL CHECK (json_valid(body)),
    salt       BLOB NOT NULL,
    row_hash   BLOB NOT NULL CHECK (length(row_hash) = 32),
    PRIMARY KEY (session_id, number)
) STRICT;

CREATE INDEX said_at ON said (at);

CREATE TABLE said_place (
    seq      INTEGER PRIMARY KEY,
    repo     TEXT NOT NULL,
    thread   TEXT NOT NULL,
    turn     INTEGER NOT NULL,
    agent    INTEGER NOT NULL,
    length   INTEGER NOT NULL,
    asks     INTEGER NOT NULL,
    question INTEGER NOT NULL,
    words    INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX said_turn ON said_place (thread, turn);
CREATE INDEX said_repo ON said_place (repo, seq, words);

CREATE TABLE said_word (
    word  TEXT NOT NULL,
    seq   INTEGER NOT NULL,
    times INTEGER NOT NULL,
    PRIMARY KEY (word, seq)
) STRICT, WITHOUT ROWID;

CREATE INDEX said_word_of ON said_word (seq);

CREATE TABLE said_vector (
    model   TEXT NOT NULL,
    repo    TEXT NOT NULL,
    seq     INTEGER NOT NULL,
    vectors BLOB NOT NULL,   -- 16-bit floats; several vectors stand one after the other
    PRIMARY KEY (model, repo, seq)
) STRICT, WITHOUT ROWID;

CREATE INDEX said_vector_of ON said_vector (seq);

-- A memory whose evidence is a turn of a recorded session, as i_…/3, is a turn of that thread too.

INSERT OR IGNORE INTO memory_turn (seq, thread, turn)
SELECT seq, substr(ref, 1, instr(ref, '/') - 1), CAST(substr(ref, instr(ref, '/') + 1) AS INTEGER)
  FROM (SELECT m.seq, json_extract(given.value, '$.ref') AS ref
          FROM memory m, json_each(m.source_json) given
         WHERE instr(m.source_json, '"turn"') > 0
           AND json_extract(given.value, '$.type') = 'turn'
         ORDER BY m.seq, given.key)
 WHERE ref GLOB 'i_[0-9A-Za-z_]*/[0-9]*' AND ref NOT GLOB '*[^0-9A-Za-z_/]*'
   AND substr(ref, instr(ref, '/') + 1) NOT GLOB '*[^0-9]*'
   AND length(ref) - instr(ref, '/') <= 9;

PRAGMA user_version = 15;
