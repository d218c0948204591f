-- name: create_schema
-- A complete new store; a test proves that it equals the migrations run in order.

-- Canonical data: memories with their status, usage and evidence, sessions, bundles, spans, the
-- log. Every canonical row has a salt and the hash of all its columns.

CREATE TABLE kind (name TEXT PRIMARY KEY NOT NULL) STRICT, WITHOUT ROWID;

INSERT INTO kind (name) VALUES
    ('fact'), ('gotcha'), ('decision'), ('plan'), ('rule'), ('name-alias'), ('insight'),
    ('exemplar'), ('assumption'), ('invariant'), ('observation'), ('reflection'), ('result'),
    ('failure');

CREATE TABLE memory (
    seq          INTEGER PRIMARY KEY AUTOINCREMENT,
    id           TEXT NOT NULL UNIQUE,
    space        TEXT NOT NULL,
    workspace    TEXT NOT NULL,
    scope        TEXT NOT NULL CHECK (scope IN ('repo', 'workspace', 'global')),
    repo         TEXT,
    branch       TEXT,
    kind         TEXT NOT NULL REFERENCES kind (name),
    key          TEXT,
    value        TEXT NOT NULL,
    weight       REAL NOT NULL CHECK (weight BETWEEN 0 AND 10),
    importance   REAL NOT NULL CHECK (importance BETWEEN 0 AND 1),
    origin       TEXT NOT NULL CHECK (origin IN ('human', 'agent', 'tool', 'repo', 'web')),
    trust        TEXT NOT NULL CHECK (trust IN ('human', 'agent', 'tool', 'repo', 'web')),
    source       TEXT NOT NULL,
    tags         TEXT NOT NULL CHECK (json_valid(tags)),
    metadata     TEXT NOT NULL CHECK (json_valid(metadata)),
    created_at   INTEGER NOT NULL,   -- milliseconds, UTC, as everywhere
    expires_at   INTEGER,
    source_json  TEXT NOT NULL CHECK (json_valid(source_json)),
    content_hash BLOB NOT NULL CHECK (length(content_hash) = 32),
    near_hash    BLOB NOT NULL CHECK (length(near_hash) = 32),
    salt         BLOB NOT NULL,
    row_hash     BLOB NOT NULL CHECK (length(row_hash) = 32)
) STRICT;

CREATE INDEX memory_key    ON memory (key, space)   WHERE key IS NOT NULL;
CREATE INDEX memory_near   ON memory (near_hash);
CREATE INDEX memory_repo   ON memory (repo)         WHERE repo IS NOT NULL;
CREATE INDEX memory_source ON memory (source)       WHERE source <> '';
CREATE INDEX memory_expiry ON memory (expires_at)   WHERE expires_at IS NOT NULL;

CREATE TABLE memory_standing (
    seq           INTEGER PRIMARY KEY REFERENCES memory (seq),
    status        TEXT NOT NULL CHECK (status IN (
                      'candidate', 'accepted', 'rejected', 'superseded', 'deprecated', 'noted')),
    pinned        INTEGER NOT NULL CHECK (pinned IN (0, 1)),
    label         TEXT,
    superseded_by TEXT,
    decided_by    TEXT,
    decided_at    INTEGER,
    reason        TEXT,
    salt          BLOB NOT NULL,
    row_hash      BLOB NOT NULL CHECK (length(row_hash) = 32)
) STRICT;

CREATE INDEX standing_waiting   ON memory_standing (status)        WHERE status <> 'accepted';
CREATE INDEX standing_pinned    ON memory_standing (pinned)        WHERE pinned = 1;
CREATE INDEX standing_label     ON memory_standing (label)         WHERE label IS NOT NULL;
CREATE INDEX standing_successor ON memory_standing (superseded_by) WHERE superseded_by IS NOT NULL;

CREATE TABLE memory_usage (
    seq           INTEGER PRIMARY KEY REFERENCES memory (seq),
    access_count  INTEGER NOT NULL,
    last_accessed INTEGER,
    good          INTEGER NOT NULL,
    bad           INTEGER NOT NULL,
    salt          BLOB NOT NULL,
    row_hash      BLOB NOT NULL CHECK (length(row_hash) = 32)
) STRICT;

CREATE TABLE memory_evidence (
    seq         INTEGER NOT NULL REFERENCES memory (seq),
    place       INTEGER NOT NULL,   -- the order in which the reasons came
    source_json TEXT NOT NULL CHECK (json_valid(source_json)),
    salt        BLOB NOT NULL,
    row_hash    BLOB NOT NULL CHECK (length(row_hash) = 32),
    PRIMARY KEY (seq, place)
) STRICT;

CREATE TABLE tombstone (
    memory_id    TEXT PRIMARY KEY NOT NULL,
    forgotten_at INTEGER NOT NULL,
    forgotten_by TEXT NOT NULL,
    reason       TEXT NOT NULL,
    salt         BLOB NOT NULL,
    row_hash     BLOB NOT NULL CHECK (length(row_hash) = 32)
) STRICT;

CREATE TABLE memory_link (
    src      TEXT NOT NULL REFERENCES memory (id),
    dst      TEXT NOT NULL REFERENCES memory (id),
    kind     TEXT NOT NULL,
    score    REAL NOT NULL CHECK (score BETWEEN 0 AND 1),
    salt     BLOB NOT NULL,
    row_hash BLOB NOT NULL CHECK (length(row_hash) = 32),
    PRIMARY KEY (src, dst, kind)
) STRICT;

CREATE INDEX link_dst ON memory_link (dst);

CREATE TABLE session (
    id          TEXT PRIMARY KEY NOT NULL,
    tool        TEXT NOT NULL,
    user        TEXT NOT NULL,
    repo        TEXT,
    branch      TEXT,
    started_at  INTEGER NOT NULL,
    finished_at INTEGER,
    salt        BLOB NOT NULL,
    row_hash    BLOB NOT NULL CHECK (length(row_hash) = 32)
) STRICT;

CREATE TABLE interaction (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    session_id TEXT NOT NULL REFERENCES session (id),
    ts         INTEGER NOT NULL,
    query      TEXT NOT NULL,
    bundle_id  TEXT,
    satisfied  INTEGER CHECK (satisfied IN (0, 1)),
    notes      TEXT NOT NULL,
    salt       BLOB NOT NULL,
    row_hash   BLOB NOT NULL CHECK (length(row_hash) = 32)
) STRICT;

CREATE INDEX interaction_session ON interaction (session_id);
CREATE INDEX interaction_bundle  ON interaction (bundle_id) WHERE bundle_id IS NOT NULL;

CREATE TABLE bundle (
    id       TEXT PRIMARY KEY NOT NULL,
    asked_at INTEGER NOT NULL,
    body     TEXT NOT NULL CHECK (json_valid(body)),
    salt     BLOB NOT NULL,
    row_hash BLOB NOT NULL CHECK (length(row_hash) = 32)
) STRICT;

CREATE TABLE span (
    id          TEXT PRIMARY KEY NOT NULL,
    repo        TEXT,
    path        TEXT NOT NULL,
    first_line  INTEGER NOT NULL,
    last_line   INTEGER NOT NULL,
    text_hash   TEXT NOT NULL,
    captured_at INTEGER NOT NULL,
    label       TEXT,
    pinned      INTEGER NOT NULL CHECK (pinned IN (0, 1)),
    salt        BLOB NOT NULL,
    row_hash    BLOB NOT NULL CHECK (length(row_hash) = 32)
) STRICT;

CREATE INDEX span_pinned ON span (repo) WHERE pinned = 1;

CREATE TABLE event (
    sequence INTEGER PRIMARY KEY,
    at       INTEGER NOT NULL,
    action   TEXT NOT NULL,
    subject  TEXT NOT NULL,
    digest   BLOB NOT NULL,
    previous BLOB NOT NULL CHECK (length(previous) = 32),
    hash     BLOB NOT NULL CHECK (length(hash) = 32)
) STRICT;

CREATE INDEX event_subject ON event (subject);

CREATE TABLE meta (
    name     TEXT PRIMARY KEY NOT NULL,
    value    TEXT NOT NULL,
    salt     BLOB NOT NULL,
    row_hash BLOB NOT NULL CHECK (length(row_hash) = 32)
) STRICT;

-- Derived data from here on: it can be rebuilt from the rows above.

CREATE TABLE memory_parts (
    seq   INTEGER PRIMARY KEY,
    parts TEXT NOT NULL   -- the words inside camelCase names
) STRICT;

CREATE TABLE memory_cites (
    span_id TEXT NOT NULL,
    seq     INTEGER NOT NULL,
    PRIMARY KEY (span_id, seq)
) STRICT, WITHOUT ROWID;

CREATE INDEX cites_seq ON memory_cites (seq);

CREATE VIEW memory_text AS
SELECT m.seq, m.value, m.key, m.tags, p.parts
  FROM memory m
  LEFT JOIN memory_parts p ON p.seq = m.seq;

CREATE VIRTUAL TABLE memory_fts USING fts5(
    value, key, tags, parts,
    content='memory_text', content_rowid='seq',
    tokenize='porter unicode61 remove_diacritics 2'
);

INSERT INTO memory_fts (memory_fts, rank) VALUES ('secure-delete', 1);

PRAGMA application_id = 1212957766;   -- 'HLDF'

-- The frequency of words, which a search reads before it runs a query.

CREATE TABLE common_term (
    term  TEXT PRIMARY KEY NOT NULL,
    share REAL NOT NULL   -- of the memories, measured on a sample
) STRICT, WITHOUT ROWID;

CREATE TABLE memory_band (
    band INTEGER NOT NULL,   -- what nearly equal claims share
    seq  INTEGER NOT NULL,
    PRIMARY KEY (band, seq)
) STRICT, WITHOUT ROWID;

-- The context of a memory, and its vectors.

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

-- The ranking weights that a space has learned. They are canonical data.

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

-- The anchors that tie spans to content, and the git histories they are in.

CREATE TABLE span_anchor (
    span_id  TEXT PRIMARY KEY NOT NULL REFERENCES span (id),
    body     TEXT NOT NULL CHECK (json_valid(body)),
    salt     BLOB NOT NULL,
    row_hash BLOB NOT NULL CHECK (length(row_hash) = 32)
) STRICT;

CREATE INDEX span_repo ON span (repo, id) WHERE repo IS NOT NULL;

CREATE TABLE standpoint (
    subject   TEXT PRIMARY KEY NOT NULL,   -- the memory or session that began there, or a branch's tip
    repo      TEXT,
    branch    TEXT,
    head      TEXT NOT NULL,
    is_aside  INTEGER NOT NULL CHECK (is_aside IN (0, 1)),
    is_shared INTEGER NOT NULL CHECK (is_shared IN (0, 1)),
    salt      BLOB NOT NULL,
    row_hash  BLOB NOT NULL CHECK (length(row_hash) = 32)
) STRICT;

CREATE INDEX standpoint_aside ON standpoint (repo, head, branch, is_shared, subject)
    WHERE is_aside = 1 AND subject GLOB 'm_*';
CREATE INDEX standpoint_tip   ON standpoint (repo) WHERE subject GLOB 't_*';

CREATE TABLE rewrite (
    repo     TEXT NOT NULL,
    old      TEXT NOT NULL,   -- the commit whose place was taken
    new      TEXT NOT NULL,
    how      TEXT NOT NULL CHECK (how IN ('hook', 'patch', 'tree', 'squash')),
    at       INTEGER NOT NULL,
    salt     BLOB NOT NULL,
    row_hash BLOB NOT NULL CHECK (length(row_hash) = 32),
    PRIMARY KEY (repo, old)
) STRICT;

-- Runs, and the decisions that people can undo.

CREATE TABLE run (
    id         TEXT PRIMARY KEY NOT NULL,
    label      TEXT NOT NULL,   -- run-2026-01-27-3
    repo       TEXT NOT NULL,   -- '' outside a repository
    status     TEXT NOT NULL CHECK (status IN ('open', 'finished', 'abandoned')),
    started_at INTEGER NOT NULL,
    body       TEXT NOT NULL CHECK (json_valid(body)),
    salt       BLOB NOT NULL,
    row_hash   BLOB NOT NULL CHECK (length(row_hash) = 32),
    UNIQUE (repo, label)
) STRICT;

CREATE INDEX run_open ON run (repo) WHERE status = 'open';

CREATE TABLE decision (
    id       TEXT PRIMARY KEY NOT NULL,
    at       INTEGER NOT NULL,
    body     TEXT NOT NULL CHECK (json_valid(body)),
    salt     BLOB NOT NULL,
    row_hash BLOB NOT NULL CHECK (length(row_hash) = 32)
) STRICT;

-- The memories that can warn before a tool acts: read at every step of a session.

CREATE INDEX memory_when ON memory (seq)  WHERE instr(metadata, '"when') > 0;
CREATE INDEX span_path   ON span (path, repo) WHERE repo IS NOT NULL;

-- The contradictions: counted for every prompt.

CREATE INDEX link_contradicts ON memory_link (src, dst) WHERE kind = 'contradicts';

-- The server: the tokens of its callers, and its answers to requests that a client may repeat.
-- Both belong to this store only; they are no events, and no export contains them.

CREATE TABLE access_token (
    id          TEXT PRIMARY KEY NOT NULL,
    name        TEXT NOT NULL,
    kind        TEXT NOT NULL,
    may         TEXT NOT NULL CHECK (json_valid(may)),
    secret_hash BLOB NOT NULL CHECK (length(secret_hash) = 32),
    created_at  INTEGER NOT NULL,
    expires_at  INTEGER,
    revoked_at  INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE reply (
    key          TEXT PRIMARY KEY NOT NULL,
    request_hash BLOB NOT NULL CHECK (length(request_hash) = 32),
    status       INTEGER NOT NULL,
    body         TEXT,   -- null after a memory in it was forgotten
    at           INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX reply_at ON reply (at);

-- Workspaces: folders that are kept in snapshots, their snapshots, and their files at the newest one.
-- The content itself is in files beside the store, by hash; the rows of files are derived from it.

CREATE TABLE workspace (
    id       TEXT PRIMARY KEY NOT NULL,
    host     TEXT NOT NULL,   -- '' if the store is a file
    root     TEXT NOT NULL,
    body     TEXT NOT NULL CHECK (json_valid(body)),
    salt     BLOB NOT NULL,
    row_hash BLOB NOT NULL CHECK (length(row_hash) = 32),
    UNIQUE (host, root)
) STRICT;

CREATE TABLE workspace_snapshot (
    id        TEXT PRIMARY KEY NOT NULL,
    workspace TEXT NOT NULL REFERENCES workspace (id),
    taken_at  INTEGER NOT NULL,
    manifest  BLOB NOT NULL CHECK (length(manifest) = 32),
    body      TEXT NOT NULL CHECK (json_valid(body)),
    salt      BLOB NOT NULL,
    row_hash  BLOB NOT NULL CHECK (length(row_hash) = 32)
) STRICT;

CREATE INDEX workspace_snapshot_of ON workspace_snapshot (workspace, id);

CREATE TABLE workspace_file (
    workspace TEXT NOT NULL,
    path      TEXT NOT NULL,
    kind      TEXT NOT NULL CHECK (kind IN ('file', 'folder', 'link')),
    mode      INTEGER NOT NULL,
    size      INTEGER NOT NULL,
    content   TEXT NOT NULL,   -- the hash of a file, or the target of a link
    snapshot  TEXT NOT NULL,   -- the snapshot that first had it so
    PRIMARY KEY (workspace, path)
) STRICT, WITHOUT ROWID;

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

-- The encrypted contents of sensitive memories, and of the directives, proposals and results of agents.

CREATE TABLE ciphertext (
    record   TEXT PRIMARY KEY NOT NULL,   -- the id of a memory, or an agent's id and the part of it
    key_id   TEXT NOT NULL,
    digest   TEXT NOT NULL,   -- a keyed hash of a claim, to find equal ones; else ''
    body     TEXT NOT NULL,
    salt     BLOB NOT NULL,
    row_hash BLOB NOT NULL CHECK (length(row_hash) = 32)
) STRICT;

CREATE INDEX ciphertext_digest ON ciphertext (digest) WHERE digest <> '';

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

-- What frameworks keep under names, exactly as they gave it: files of memory tools, values of
-- stores, items of conversations, checkpoints of graphs. The rows are sealed, but they are no
-- events; the memory that carries the text of a document is an event of its own.

CREATE TABLE document (
    collection TEXT NOT NULL,      -- which framework keeps it
    namespace  TEXT NOT NULL,      -- labels, as a JSON array
    key        TEXT NOT NULL,
    place      INTEGER NOT NULL UNIQUE,   -- the order in which documents came
    version    INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    expires_at INTEGER,
    memory_id  TEXT,               -- the memory that carries its text
    body       TEXT NOT NULL CHECK (json_valid(body)),
    salt       BLOB NOT NULL,
    row_hash   BLOB NOT NULL CHECK (length(row_hash) = 32),
    PRIMARY KEY (collection, namespace, key)
) STRICT;

CREATE INDEX document_memory ON document (memory_id) WHERE memory_id IS NOT NULL;
CREATE INDEX document_expiry ON document (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX document_place  ON document (collection, place);

PRAGMA user_version = 16;
