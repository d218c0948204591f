-- What sessions keep for the next one, and what repositories keep: number 0 of a session is what it
-- keeps beside its turns, the other numbers are its turns; 'project ' and the id of a repository is
-- what the repository keeps.

CREATE TABLE session_record (
    subject  TEXT NOT NULL,
    number   INTEGER NOT NULL,
    repo     TEXT NOT NULL,   -- '' outside a repository
    branch   TEXT,
    hidden   INTEGER NOT NULL,
    at       INTEGER NOT NULL,
    body     TEXT NOT NULL CHECK (json_valid(body)),
    salt     BLOB NOT NULL,
    row_hash BLOB NOT NULL CHECK (length(row_hash) = 32),
    PRIMARY KEY (subject, number)
) STRICT;

CREATE INDEX record_turns ON session_record (repo, branch, at) WHERE number > 0 AND hidden = 0;
CREATE INDEX record_newest ON session_record (repo, at) WHERE number > 0 AND hidden = 0;
CREATE INDEX record_sessions ON session_record (repo, at) WHERE number = 0;

PRAGMA user_version = 11;
