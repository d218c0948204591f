-- Tasks. The rows of task are sealed; the other two tables are derived from them.

CREATE TABLE task (
    id         TEXT PRIMARY KEY NOT NULL,
    repo       TEXT NOT NULL,   -- '' outside a repository
    external   TEXT,            -- its id in the file of another program
    created_at INTEGER NOT NULL,
    body       TEXT NOT NULL CHECK (json_valid(body)),
    salt       BLOB NOT NULL,
    row_hash   BLOB NOT NULL CHECK (length(row_hash) = 32)
) STRICT;

CREATE UNIQUE INDEX task_external ON task (repo, external) WHERE external IS NOT NULL;

-- A task waits for the tasks that it comes after, and a parent waits for its children.
CREATE TABLE task_edge (
    task       TEXT NOT NULL,
    depends_on TEXT NOT NULL,
    kind       TEXT NOT NULL CHECK (kind IN ('after', 'child')),
    PRIMARY KEY (task, depends_on, kind)
) STRICT, WITHOUT ROWID;

CREATE INDEX task_edge_back ON task_edge (depends_on, task);

CREATE TABLE task_index (
    id          TEXT PRIMARY KEY NOT NULL,
    repo        TEXT NOT NULL,
    status      TEXT NOT NULL,
    kind        TEXT NOT NULL,
    priority    INTEGER NOT NULL,
    parent      TEXT,
    holder      TEXT,
    lease_until INTEGER,
    aside       TEXT NOT NULL,               -- the branch point on a side branch, else ''
    level       INTEGER NOT NULL DEFAULT 0,  -- above the level of every task that it waits for
    waits_for   INTEGER NOT NULL DEFAULT 0,  -- how many of those are not done
    unblocks    INTEGER NOT NULL DEFAULT 0   -- how many tasks that are not done wait for it
) STRICT, WITHOUT ROWID;

CREATE INDEX task_ready   ON task_index (repo, priority, unblocks DESC, id)
    WHERE status = 'open' AND waits_for = 0;
CREATE INDEX task_started ON task_index (repo, id) WHERE status = 'started';
CREATE INDEX task_tally   ON task_index (repo, status, waits_for, aside);
CREATE INDEX task_parent  ON task_index (parent, id) WHERE parent IS NOT NULL;
CREATE INDEX task_aside   ON task_index (repo, aside) WHERE aside <> '';

PRAGMA user_version = 9;
