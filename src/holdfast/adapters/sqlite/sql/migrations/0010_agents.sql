-- Agents: their identity, their cycles with a proposal and a result each, and their namespaces.

CREATE TABLE agent (
    id         TEXT PRIMARY KEY NOT NULL,
    name       TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    directives TEXT NOT NULL,
    config     TEXT NOT NULL CHECK (json_valid(config)),
    salt       BLOB NOT NULL,
    row_hash   BLOB NOT NULL CHECK (length(row_hash) = 32)
) STRICT;

CREATE TABLE agent_cycle (
    agent_id    TEXT NOT NULL REFERENCES agent (id),
    cycle_index INTEGER NOT NULL CHECK (cycle_index > 0),
    started_at  INTEGER NOT NULL,
    epoch       INTEGER NOT NULL,   -- the opening of the agent that began it
    salt        BLOB NOT NULL,
    row_hash    BLOB NOT NULL CHECK (length(row_hash) = 32),
    PRIMARY KEY (agent_id, cycle_index)
) STRICT;

CREATE TABLE action_proposal (
    agent_id    TEXT NOT NULL,
    cycle_index INTEGER NOT NULL,
    tool        TEXT NOT NULL,
    body        TEXT NOT NULL CHECK (json_valid(body)),
    salt        BLOB NOT NULL,
    row_hash    BLOB NOT NULL CHECK (length(row_hash) = 32),
    PRIMARY KEY (agent_id, cycle_index),
    FOREIGN KEY (agent_id, cycle_index) REFERENCES agent_cycle (agent_id, cycle_index)
) STRICT;

CREATE TABLE action_result (
    agent_id    TEXT NOT NULL,
    cycle_index INTEGER NOT NULL,
    failed      INTEGER NOT NULL CHECK (failed IN (0, 1)),
    body        TEXT NOT NULL CHECK (json_valid(body)),
    salt        BLOB NOT NULL,
    row_hash    BLOB NOT NULL CHECK (length(row_hash) = 32),
    PRIMARY KEY (agent_id, cycle_index),
    FOREIGN KEY (agent_id, cycle_index) REFERENCES action_proposal (agent_id, cycle_index)
) STRICT;

CREATE TABLE memory_index (
    agent_id    TEXT NOT NULL REFERENCES agent (id),
    memory_id   TEXT NOT NULL REFERENCES memory (id),
    namespace   TEXT NOT NULL,
    at          INTEGER NOT NULL,
    cycle_index INTEGER,   -- null for a memory that no cycle remembered
    salt        BLOB NOT NULL,
    row_hash    BLOB NOT NULL CHECK (length(row_hash) = 32),
    PRIMARY KEY (agent_id, memory_id, namespace)
) STRICT;

CREATE INDEX index_namespace ON memory_index (namespace, agent_id);
CREATE INDEX index_memory    ON memory_index (memory_id);

-- Which process may write for an agent: of this store only, no event, in no export and no copy.

CREATE TABLE agent_lease (
    agent_id TEXT PRIMARY KEY NOT NULL,
    token    TEXT NOT NULL,
    epoch    INTEGER NOT NULL,
    holder   TEXT NOT NULL,
    until    INTEGER   -- null after the agent was closed
) STRICT, WITHOUT ROWID;

-- An agent's own notes have a status of their own. SQLite cannot alter a check; only the text of the
-- schema changes, as in 0006.
PRAGMA writable_schema = ON;

UPDATE sqlite_schema
   SET sql = replace(sql, '''superseded'', ''deprecated''))', '''superseded'', ''deprecated'', ''noted''))')
 WHERE type = 'table' AND name = 'memory_standing';

PRAGMA writable_schema = RESET;

PRAGMA user_version = 10;
