-- Steps of supervised runs.

-- The queue of supervised runs: a step is written before its specialist starts, and when it ends.

CREATE TABLE run_step (
    id       TEXT PRIMARY KEY NOT NULL,   -- the run and the number, as r_…/3
    run_id   TEXT NOT NULL REFERENCES run (id),
    number   INTEGER NOT NULL CHECK (number > 0),
    status   TEXT NOT NULL,
    body     TEXT NOT NULL CHECK (json_valid(body)),
    salt     BLOB NOT NULL,
    row_hash BLOB NOT NULL CHECK (length(row_hash) = 32)
) STRICT;

CREATE UNIQUE INDEX run_step_number ON run_step (run_id, number);

PRAGMA user_version = 13;
