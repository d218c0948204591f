-- The first schema: the tables of the embedded store, each row with its tenant and its store.
--
-- Isolation: the tenant is the first column of every key. A row is visible and writable only if its
-- tenant and store are those that the transaction has set. The defaults of both columns are the
-- same settings, so no statement of the program names them. A foreign key carries both columns, so
-- no row can refer to a row of another tenant or store.
--
-- Text is compared by bytes (COLLATE "C"), as in the embedded store: the order of ids and of pages
-- does not depend on the locale of the server.

CREATE FUNCTION current_tenant() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE
    RETURN nullif(current_setting('app.current_tenant_id', true), '')::uuid;

CREATE FUNCTION current_store() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE
    RETURN nullif(current_setting('app.current_store_id', true), '')::uuid;

CREATE TABLE schema_version (
    number     integer PRIMARY KEY,
    applied_at timestamptz NOT NULL DEFAULT now()
);

-- One row for each space of a tenant, with its counters. They are changed in the transaction that
-- changes what they count.

CREATE TABLE memory_stores (
    tenant_id      uuid NOT NULL DEFAULT current_tenant(),
    id             uuid NOT NULL DEFAULT gen_random_uuid(),
    store_name     text COLLATE "C" NOT NULL,
    created_at     timestamptz NOT NULL DEFAULT now(),
    total_memories bigint NOT NULL DEFAULT 0,
    total_words    bigint NOT NULL DEFAULT 0,   -- of all memories, for the mean length in BM25
    last_memory    bigint NOT NULL DEFAULT 0,   -- the highest number ever used
    last_model     integer NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, store_name)
);

-- The units of work of the last hour. A caller whose connection was lost during a commit looks here
-- for its own; the number of a transaction would not do, because a crash may give it out again.

CREATE TABLE work_done (
    tenant_id uuid NOT NULL DEFAULT current_tenant(),
    store_id  uuid NOT NULL DEFAULT current_store(),
    token     uuid NOT NULL,
    at        timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, store_id, token),
    FOREIGN KEY (tenant_id, store_id) REFERENCES memory_stores (tenant_id, id)
);

CREATE INDEX work_done_at ON work_done (tenant_id, store_id, at);

-- Canonical data. Every row has a salt and the hash of all its columns, as in the embedded store;
-- the columns of the tenant and the store are not part of the hash.

CREATE TABLE memory (
    tenant_id    uuid NOT NULL DEFAULT current_tenant(),
    store_id     uuid NOT NULL DEFAULT current_store(),
    seq          bigint NOT NULL,
    id           text COLLATE "C" NOT NULL,
    space        text COLLATE "C" NOT NULL,
    workspace    text COLLATE "C" NOT NULL,
    scope        text COLLATE "C" NOT NULL CHECK (scope IN ('repo', 'workspace', 'global')),
    repo         text COLLATE "C",
    branch       text COLLATE "C",
    kind         text COLLATE "C" NOT NULL,
    key          text COLLATE "C",
    value        text COLLATE "C" NOT NULL,
    weight       double precision NOT NULL CHECK (weight BETWEEN 0 AND 10),
    importance   double precision NOT NULL CHECK (importance BETWEEN 0 AND 1),
    origin       text COLLATE "C" NOT NULL
                 CHECK (origin IN ('human', 'agent', 'tool', 'repo', 'web')),
    trust        text COLLATE "C" NOT NULL
                 CHECK (trust IN ('human', 'agent', 'tool', 'repo', 'web')),
    source       text COLLATE "C" NOT NULL,
    tags         text COLLATE "C" NOT NULL CHECK (tags IS JSON),
    metadata     text COLLATE "C" NOT NULL CHECK (metadata IS JSON),
    created_at   bigint NOT NULL,   -- milliseconds, UTC, as everywhere
    expires_at   bigint,
    source_json  text COLLATE "C" NOT NULL CHECK (source_json IS JSON),
    content_hash bytea NOT NULL CHECK (length(content_hash) = 32),
    near_hash    bytea NOT NULL CHECK (length(near_hash) = 32),
    salt         bytea NOT NULL,
    row_hash     bytea NOT NULL CHECK (length(row_hash) = 32),
    PRIMARY KEY (tenant_id, store_id, seq),
    UNIQUE (tenant_id, store_id, id),
    FOREIGN KEY (tenant_id, store_id) REFERENCES memory_stores (tenant_id, id)
);

CREATE INDEX memory_key    ON memory (tenant_id, store_id, key)        WHERE key IS NOT NULL;
CREATE INDEX memory_near   ON memory (tenant_id, store_id, near_hash);
CREATE INDEX memory_repo   ON memory (tenant_id, store_id, repo)       WHERE repo IS NOT NULL;
CREATE INDEX memory_source ON memory (tenant_id, store_id, md5(source)) WHERE source <> '';
CREATE INDEX memory_expiry ON memory (tenant_id, store_id, expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX memory_kind   ON memory (tenant_id, store_id, kind, seq);
CREATE INDEX memory_wide   ON memory (tenant_id, store_id, seq)        WHERE scope <> 'repo';

-- The memories that can warn before a tool acts: read at every step of a session.
CREATE INDEX memory_when   ON memory (tenant_id, store_id, seq) WHERE strpos(metadata, '"when') > 0;

CREATE TABLE memory_standing (
    tenant_id     uuid NOT NULL DEFAULT current_tenant(),
    store_id      uuid NOT NULL DEFAULT current_store(),
    seq           bigint NOT NULL,
    status        text COLLATE "C" NOT NULL CHECK (status IN (
                      'candidate', 'accepted', 'rejected', 'superseded', 'deprecated')),
    pinned        smallint NOT NULL CHECK (pinned IN (0, 1)),
    label         text COLLATE "C",
    superseded_by text COLLATE "C",
    decided_by    text COLLATE "C",
    decided_at    bigint,
    reason        text COLLATE "C",
    salt          bytea NOT NULL,
    row_hash      bytea NOT NULL CHECK (length(row_hash) = 32),
    PRIMARY KEY (tenant_id, store_id, seq),
    FOREIGN KEY (tenant_id, store_id, seq) REFERENCES memory (tenant_id, store_id, seq)
);

CREATE INDEX standing_waiting   ON memory_standing (tenant_id, store_id, status, seq)
    WHERE status <> 'accepted';
CREATE INDEX standing_pinned    ON memory_standing (tenant_id, store_id, seq) WHERE pinned = 1;
CREATE INDEX standing_label     ON memory_standing (tenant_id, store_id, label)
    WHERE label IS NOT NULL;
CREATE INDEX standing_successor ON memory_standing (tenant_id, store_id, superseded_by)
    WHERE superseded_by IS NOT NULL;

CREATE TABLE memory_usage (
    tenant_id     uuid NOT NULL DEFAULT current_tenant(),
    store_id      uuid NOT NULL DEFAULT current_store(),
    seq           bigint NOT NULL,
    access_count  bigint NOT NULL,
    last_accessed bigint,
    good          bigint NOT NULL,
    bad           bigint NOT NULL,
    salt          bytea NOT NULL,
    row_hash      bytea NOT NULL CHECK (length(row_hash) = 32),
    PRIMARY KEY (tenant_id, store_id, seq),
    FOREIGN KEY (tenant_id, store_id, seq) REFERENCES memory (tenant_id, store_id, seq)
);

CREATE TABLE memory_evidence (
    tenant_id   uuid NOT NULL DEFAULT current_tenant(),
    store_id    uuid NOT NULL DEFAULT current_store(),
    seq         bigint NOT NULL,
    place       bigint NOT NULL,   -- the order in which the evidence was added
    source_json text COLLATE "C" NOT NULL CHECK (source_json IS JSON),
    salt        bytea NOT NULL,
    row_hash    bytea NOT NULL CHECK (length(row_hash) = 32),
    PRIMARY KEY (tenant_id, store_id, seq, place),
    FOREIGN KEY (tenant_id, store_id, seq) REFERENCES memory (tenant_id, store_id, seq)
);

CREATE TABLE tombstone (
    tenant_id    uuid NOT NULL DEFAULT current_tenant(),
    store_id     uuid NOT NULL DEFAULT current_store(),
    memory_id    text COLLATE "C" NOT NULL,
    forgotten_at bigint NOT NULL,
    forgotten_by text COLLATE "C" NOT NULL,
    reason       text COLLATE "C" NOT NULL,
    salt         bytea NOT NULL,
    row_hash     bytea NOT NULL CHECK (length(row_hash) = 32),
    PRIMARY KEY (tenant_id, store_id, memory_id),
    FOREIGN KEY (tenant_id, store_id) REFERENCES memory_stores (tenant_id, id)
);

CREATE TABLE memory_link (
    tenant_id uuid NOT NULL DEFAULT current_tenant(),
    store_id  uuid NOT NULL DEFAULT current_store(),
    src       text COLLATE "C" NOT NULL,
    dst       text COLLATE "C" NOT NULL,
    kind      text COLLATE "C" NOT NULL,
    score     double precision NOT NULL CHECK (score BETWEEN 0 AND 1),
    salt      bytea NOT NULL,
    row_hash  bytea NOT NULL CHECK (length(row_hash) = 32),
    PRIMARY KEY (tenant_id, store_id, src, dst, kind),
    FOREIGN KEY (tenant_id, store_id, src) REFERENCES memory (tenant_id, store_id, id),
    FOREIGN KEY (tenant_id, store_id, dst) REFERENCES memory (tenant_id, store_id, id)
);

CREATE INDEX link_dst         ON memory_link (tenant_id, store_id, dst);
CREATE INDEX link_contradicts ON memory_link (tenant_id, store_id, src, dst)
    WHERE kind = 'contradicts';

CREATE TABLE session (
    tenant_id   uuid NOT NULL DEFAULT current_tenant(),
    store_id    uuid NOT NULL DEFAULT current_store(),
    id          text COLLATE "C" NOT NULL,
    tool        text COLLATE "C" NOT NULL,
    "user"      text COLLATE "C" NOT NULL,
    repo        text COLLATE "C",
    branch      text COLLATE "C",
    started_at  bigint NOT NULL,
    finished_at bigint,
    salt        bytea NOT NULL,
    row_hash    bytea NOT NULL CHECK (length(row_hash) = 32),
    PRIMARY KEY (tenant_id, store_id, id),
    FOREIGN KEY (tenant_id, store_id) REFERENCES memory_stores (tenant_id, id)
);

CREATE TABLE interaction (
    tenant_id  uuid NOT NULL DEFAULT current_tenant(),
    store_id   uuid NOT NULL DEFAULT current_store(),
    id         bigint NOT NULL,
    session_id text COLLATE "C" NOT NULL,
    ts         bigint NOT NULL,
    query      text COLLATE "C" NOT NULL,
    bundle_id  text COLLATE "C",
    satisfied  smallint CHECK (satisfied IN (0, 1)),
    notes      text COLLATE "C" NOT NULL,
    salt       bytea NOT NULL,
    row_hash   bytea NOT NULL CHECK (length(row_hash) = 32),
    PRIMARY KEY (tenant_id, store_id, id),
    FOREIGN KEY (tenant_id, store_id, session_id) REFERENCES session (tenant_id, store_id, id)
);

CREATE INDEX interaction_session ON interaction (tenant_id, store_id, session_id);
CREATE INDEX interaction_bundle  ON interaction (tenant_id, store_id, bundle_id)
    WHERE bundle_id IS NOT NULL;

CREATE TABLE bundle (
    tenant_id uuid NOT NULL DEFAULT current_tenant(),
    store_id  uuid NOT NULL DEFAULT current_store(),
    id        text COLLATE "C" NOT NULL,
    asked_at  bigint NOT NULL,
    body      text COLLATE "C" NOT NULL CHECK (body IS JSON),
    salt      bytea NOT NULL,
    row_hash  bytea NOT NULL CHECK (length(row_hash) = 32),
    PRIMARY KEY (tenant_id, store_id, id),
    FOREIGN KEY (tenant_id, store_id) REFERENCES memory_stores (tenant_id, id)
);

CREATE TABLE span (
    tenant_id   uuid NOT NULL DEFAULT current_tenant(),
    store_id    uuid NOT NULL DEFAULT current_store(),
    id          text COLLATE "C" NOT NULL,
    repo        text COLLATE "C",
    path        text COLLATE "C" NOT NULL,
    first_line  bigint NOT NULL,
    last_line   bigint NOT NULL,
    text_hash   text COLLATE "C" NOT NULL,
    captured_at bigint NOT NULL,
    label       text COLLATE "C",
    pinned      smallint NOT NULL CHECK (pinned IN (0, 1)),
    salt        bytea NOT NULL,
    row_hash    bytea NOT NULL CHECK (length(row_hash) = 32),
    PRIMARY KEY (tenant_id, store_id, id),
    FOREIGN KEY (tenant_id, store_id) REFERENCES memory_stores (tenant_id, id)
);

CREATE INDEX span_pinned ON span (tenant_id, store_id, repo) WHERE pinned = 1;
CREATE INDEX span_repo   ON span (tenant_id, store_id, repo, id) WHERE repo IS NOT NULL;

CREATE TABLE span_anchor (
    tenant_id uuid NOT NULL DEFAULT current_tenant(),
    store_id  uuid NOT NULL DEFAULT current_store(),
    span_id   text COLLATE "C" NOT NULL,
    body      text COLLATE "C" NOT NULL CHECK (body IS JSON),
    salt      bytea NOT NULL,
    row_hash  bytea NOT NULL CHECK (length(row_hash) = 32),
    PRIMARY KEY (tenant_id, store_id, span_id),
    FOREIGN KEY (tenant_id, store_id, span_id) REFERENCES span (tenant_id, store_id, id)
);

CREATE TABLE event (
    tenant_id uuid NOT NULL DEFAULT current_tenant(),
    store_id  uuid NOT NULL DEFAULT current_store(),
    sequence  bigint NOT NULL,
    at        bigint NOT NULL,
    action    text COLLATE "C" NOT NULL,
    subject   text COLLATE "C" NOT NULL,
    digest    bytea NOT NULL,
    previous  bytea NOT NULL CHECK (length(previous) = 32),
    hash      bytea NOT NULL CHECK (length(hash) = 32),
    PRIMARY KEY (tenant_id, store_id, sequence),
    FOREIGN KEY (tenant_id, store_id) REFERENCES memory_stores (tenant_id, id)
);

-- Long texts are indexed by their hash here and below: a b-tree entry must fit on a page.
CREATE INDEX event_subject ON event (tenant_id, store_id, md5(subject));

CREATE TABLE meta (
    tenant_id uuid NOT NULL DEFAULT current_tenant(),
    store_id  uuid NOT NULL DEFAULT current_store(),
    name      text COLLATE "C" NOT NULL,
    value     text COLLATE "C" NOT NULL,
    salt      bytea NOT NULL,
    row_hash  bytea NOT NULL CHECK (length(row_hash) = 32),
    PRIMARY KEY (tenant_id, store_id, name),
    FOREIGN KEY (tenant_id, store_id) REFERENCES memory_stores (tenant_id, id)
);

CREATE TABLE tuning (
    tenant_id    uuid NOT NULL DEFAULT current_tenant(),
    store_id     uuid NOT NULL DEFAULT current_store(),
    space        text COLLATE "C" NOT NULL,
    version      bigint NOT NULL,
    weights      text COLLATE "C" NOT NULL CHECK (weights IS JSON),
    learned_from bigint NOT NULL,
    at           bigint NOT NULL,
    note         text COLLATE "C" NOT NULL,
    salt         bytea NOT NULL,
    row_hash     bytea NOT NULL CHECK (length(row_hash) = 32),
    PRIMARY KEY (tenant_id, store_id, space, version),
    FOREIGN KEY (tenant_id, store_id) REFERENCES memory_stores (tenant_id, id)
);

CREATE TABLE standpoint (
    tenant_id uuid NOT NULL DEFAULT current_tenant(),
    store_id  uuid NOT NULL DEFAULT current_store(),
    subject   text COLLATE "C" NOT NULL,   -- a memory or session, or the tip of a branch
    repo      text COLLATE "C",
    branch    text COLLATE "C",
    head      text COLLATE "C" NOT NULL,
    is_aside  smallint NOT NULL CHECK (is_aside IN (0, 1)),
    is_shared smallint NOT NULL CHECK (is_shared IN (0, 1)),
    salt      bytea NOT NULL,
    row_hash  bytea NOT NULL CHECK (length(row_hash) = 32),
    place     bigint GENERATED BY DEFAULT AS IDENTITY,   -- the order in which rows were added
    PRIMARY KEY (tenant_id, store_id, subject),
    FOREIGN KEY (tenant_id, store_id) REFERENCES memory_stores (tenant_id, id)
);

CREATE INDEX standpoint_repo  ON standpoint (tenant_id, store_id, repo, place);
CREATE INDEX standpoint_aside ON standpoint (tenant_id, store_id, repo, subject) WHERE is_aside = 1;

CREATE TABLE rewrite (
    tenant_id uuid NOT NULL DEFAULT current_tenant(),
    store_id  uuid NOT NULL DEFAULT current_store(),
    repo      text COLLATE "C" NOT NULL,
    old       text COLLATE "C" NOT NULL,   -- the commit that was replaced
    new       text COLLATE "C" NOT NULL,
    how       text COLLATE "C" NOT NULL CHECK (how IN ('hook', 'patch', 'tree', 'squash')),
    at        bigint NOT NULL,
    salt      bytea NOT NULL,
    row_hash  bytea NOT NULL CHECK (length(row_hash) = 32),
    PRIMARY KEY (tenant_id, store_id, repo, old),
    FOREIGN KEY (tenant_id, store_id) REFERENCES memory_stores (tenant_id, id)
);

CREATE TABLE run (
    tenant_id  uuid NOT NULL DEFAULT current_tenant(),
    store_id   uuid NOT NULL DEFAULT current_store(),
    id         text COLLATE "C" NOT NULL,
    label      text COLLATE "C" NOT NULL,
    repo       text COLLATE "C" NOT NULL,   -- '' outside a repository
    status     text COLLATE "C" NOT NULL CHECK (status IN ('open', 'finished', 'abandoned')),
    started_at bigint NOT NULL,
    body       text COLLATE "C" NOT NULL CHECK (body IS JSON),
    salt       bytea NOT NULL,
    row_hash   bytea NOT NULL CHECK (length(row_hash) = 32),
    PRIMARY KEY (tenant_id, store_id, id),
    UNIQUE (tenant_id, store_id, repo, label),
    FOREIGN KEY (tenant_id, store_id) REFERENCES memory_stores (tenant_id, id)
);

CREATE INDEX run_open ON run (tenant_id, store_id, repo) WHERE status = 'open';

CREATE TABLE decision (
    tenant_id uuid NOT NULL DEFAULT current_tenant(),
    store_id  uuid NOT NULL DEFAULT current_store(),
    id        text COLLATE "C" NOT NULL,
    at        bigint NOT NULL,
    body      text COLLATE "C" NOT NULL CHECK (body IS JSON),
    salt      bytea NOT NULL,
    row_hash  bytea NOT NULL CHECK (length(row_hash) = 32),
    place     bigint GENERATED BY DEFAULT AS IDENTITY,   -- the order in which they were made
    PRIMARY KEY (tenant_id, store_id, id),
    FOREIGN KEY (tenant_id, store_id) REFERENCES memory_stores (tenant_id, id)
);

CREATE INDEX decision_place ON decision (tenant_id, store_id, place);

-- Derived data: it can be rebuilt from the rows above.

CREATE TABLE memory_parts (
    tenant_id uuid NOT NULL DEFAULT current_tenant(),
    store_id  uuid NOT NULL DEFAULT current_store(),
    seq       bigint NOT NULL,
    parts     text COLLATE "C" NOT NULL,   -- the words inside camelCase names
    PRIMARY KEY (tenant_id, store_id, seq),
    FOREIGN KEY (tenant_id, store_id) REFERENCES memory_stores (tenant_id, id)
);

CREATE TABLE memory_cites (
    tenant_id uuid NOT NULL DEFAULT current_tenant(),
    store_id  uuid NOT NULL DEFAULT current_store(),
    span_id   text COLLATE "C" NOT NULL,
    seq       bigint NOT NULL,
    PRIMARY KEY (tenant_id, store_id, span_id, seq),
    FOREIGN KEY (tenant_id, store_id) REFERENCES memory_stores (tenant_id, id)
);

CREATE INDEX cites_seq ON memory_cites (tenant_id, store_id, seq);

-- The keyword index: one row for each word of each memory. The weight counts the occurrences, each
-- weighted by its field; a place is the number of the field times 2^24 plus the number of the word.

CREATE TABLE memory_term (
    tenant_id uuid NOT NULL DEFAULT current_tenant(),
    store_id  uuid NOT NULL DEFAULT current_store(),
    term      text COLLATE "C" NOT NULL,
    seq       bigint NOT NULL,
    weight    real NOT NULL,
    words     integer NOT NULL,     -- in the whole memory
    places    integer[] NOT NULL,
    PRIMARY KEY (tenant_id, store_id, term, seq) INCLUDE (weight, words),
    FOREIGN KEY (tenant_id, store_id) REFERENCES memory_stores (tenant_id, id)
) PARTITION BY HASH (tenant_id);

-- The store is last: before the first ANALYZE the server would use this index to look up words too.
CREATE INDEX term_seq ON memory_term (tenant_id, seq, store_id);

CREATE TABLE common_term (
    tenant_id uuid NOT NULL DEFAULT current_tenant(),
    store_id  uuid NOT NULL DEFAULT current_store(),
    term      text COLLATE "C" NOT NULL,
    share     double precision NOT NULL,   -- of the memories, measured on a sample
    PRIMARY KEY (tenant_id, store_id, term),
    FOREIGN KEY (tenant_id, store_id) REFERENCES memory_stores (tenant_id, id)
);

CREATE TABLE memory_band (
    tenant_id uuid NOT NULL DEFAULT current_tenant(),
    store_id  uuid NOT NULL DEFAULT current_store(),
    band      bigint NOT NULL,   -- what nearly equal claims share
    seq       bigint NOT NULL,
    PRIMARY KEY (tenant_id, store_id, band, seq),
    FOREIGN KEY (tenant_id, store_id) REFERENCES memory_stores (tenant_id, id)
);

CREATE TABLE memory_tag (
    tenant_id uuid NOT NULL DEFAULT current_tenant(),
    store_id  uuid NOT NULL DEFAULT current_store(),
    tag       text COLLATE "C" NOT NULL,
    seq       bigint NOT NULL,
    PRIMARY KEY (tenant_id, store_id, tag, seq),
    FOREIGN KEY (tenant_id, store_id) REFERENCES memory_stores (tenant_id, id)
);

CREATE TABLE memory_turn (
    tenant_id uuid NOT NULL DEFAULT current_tenant(),
    store_id  uuid NOT NULL DEFAULT current_store(),
    seq       bigint NOT NULL,
    thread    text COLLATE "C" NOT NULL,   -- the conversation or history it was said in
    turn      bigint NOT NULL,
    PRIMARY KEY (tenant_id, store_id, seq),
    FOREIGN KEY (tenant_id, store_id) REFERENCES memory_stores (tenant_id, id)
);

CREATE INDEX turn_thread ON memory_turn (tenant_id, store_id, md5(thread), turn);

CREATE TABLE memory_name (
    tenant_id uuid NOT NULL DEFAULT current_tenant(),
    store_id  uuid NOT NULL DEFAULT current_store(),
    name      text COLLATE "C" NOT NULL,   -- its key and its title, without case and marks
    seq       bigint NOT NULL,
    PRIMARY KEY (tenant_id, store_id, name, seq),
    FOREIGN KEY (tenant_id, store_id) REFERENCES memory_stores (tenant_id, id)
);

CREATE TABLE embedding_model (
    tenant_id   uuid NOT NULL DEFAULT current_tenant(),
    store_id    uuid NOT NULL DEFAULT current_store(),
    id          integer NOT NULL,
    name        text COLLATE "C" NOT NULL,
    dimension   integer NOT NULL,
    memories    bigint NOT NULL,      -- how many have vectors of it
    complete_to bigint NOT NULL,      -- up to this number, every memory has
    PRIMARY KEY (tenant_id, store_id, id),
    UNIQUE (tenant_id, store_id, name),
    FOREIGN KEY (tenant_id, store_id) REFERENCES memory_stores (tenant_id, id)
);

-- The stored bytes of the vectors, the same as in the embedded store: they give the scores.

CREATE TABLE embedding (
    tenant_id uuid NOT NULL DEFAULT current_tenant(),
    store_id  uuid NOT NULL DEFAULT current_store(),
    model     integer NOT NULL,
    seq       bigint NOT NULL,
    vectors   bytea NOT NULL,    -- 16-bit floats; several vectors are concatenated
    crc       bigint NOT NULL,   -- of those bytes
    PRIMARY KEY (tenant_id, store_id, model, seq),
    FOREIGN KEY (tenant_id, store_id, model)
        REFERENCES embedding_model (tenant_id, store_id, id) ON DELETE CASCADE
) PARTITION BY HASH (tenant_id);

CREATE INDEX embedding_seq ON embedding (tenant_id, store_id, seq);

-- Each vector by itself, for searches in the server.

CREATE TABLE embedding_part (
    tenant_id uuid NOT NULL DEFAULT current_tenant(),
    store_id  uuid NOT NULL DEFAULT current_store(),
    model     integer NOT NULL,
    seq       bigint NOT NULL,
    part      integer NOT NULL,
    dimension integer NOT NULL,
    vector    halfvec NOT NULL,
    PRIMARY KEY (tenant_id, store_id, model, seq, part),
    FOREIGN KEY (tenant_id, store_id, model, seq)
        REFERENCES embedding (tenant_id, store_id, model, seq) ON DELETE CASCADE
) PARTITION BY HASH (tenant_id);

ALTER TABLE embedding_part ALTER COLUMN vector SET STORAGE MAIN;

-- The three tables with most of the rows are divided by the hash of the tenant: the words, the
-- vectors, and the vectors for searches. A search for near vectors then walks an index of one
-- eighth of the tenants. A plan names every partition, because the tenant is known only when the
-- statement runs, so more tables or more partitions would make each new connection slower.

DO $$
DECLARE
    partitions CONSTANT integer := 8;
    divided text;
BEGIN
    FOREACH divided IN ARRAY ARRAY['memory_term', 'embedding', 'embedding_part'] LOOP
        FOR number IN 0..partitions - 1 LOOP
            EXECUTE format('CREATE TABLE %I PARTITION OF %I'
                ' FOR VALUES WITH (MODULUS %s, REMAINDER %s)',
                divided || '_' || number, divided, partitions, number);
        END LOOP;
    END LOOP;
END
$$;

-- An index needs a fixed dimension; vectors of other dimensions are compared one by one.

CREATE INDEX near_256  ON embedding_part
 USING hnsw ((vector::halfvec(256)) halfvec_cosine_ops) WHERE dimension = 256;
CREATE INDEX near_384  ON embedding_part
 USING hnsw ((vector::halfvec(384)) halfvec_cosine_ops) WHERE dimension = 384;
CREATE INDEX near_512  ON embedding_part
 USING hnsw ((vector::halfvec(512)) halfvec_cosine_ops) WHERE dimension = 512;
CREATE INDEX near_768  ON embedding_part
 USING hnsw ((vector::halfvec(768)) halfvec_cosine_ops) WHERE dimension = 768;
CREATE INDEX near_1024 ON embedding_part
 USING hnsw ((vector::halfvec(1024)) halfvec_cosine_ops) WHERE dimension = 1024;
CREATE INDEX near_1536 ON embedding_part
 USING hnsw ((vector::halfvec(1536)) halfvec_cosine_ops) WHERE dimension = 1536;

CREATE TABLE embedding_change (
    tenant_id uuid NOT NULL DEFAULT current_tenant(),
    store_id  uuid NOT NULL DEFAULT current_store(),
    model     integer NOT NULL,
    number    bigint NOT NULL,
    seq       bigint NOT NULL,   -- whose vectors were put or removed
    token     bigint NOT NULL,   -- random: the same number in another history has another token
    PRIMARY KEY (tenant_id, store_id, model, number),
    FOREIGN KEY (tenant_id, store_id) REFERENCES memory_stores (tenant_id, id)
);

-- Row level security on every table with a tenant, also for the owner of the tables. The
-- application role may read and write rows; it may not truncate, alter or own a table. It reaches a
-- partition only through its table: it has no right of its own there, and the policy is the same.

DO $$
DECLARE
    found record;
BEGIN
    FOR found IN
        SELECT c.relname AS name,
               c.relispartition AS is_partition,
               EXISTS (SELECT 1 FROM pg_attribute a
                        WHERE a.attrelid = c.oid AND a.attname = 'store_id') AS has_store
          FROM pg_class c
         WHERE c.relnamespace = 'holdfast'::regnamespace AND c.relkind IN ('r', 'p')
           AND c.relname <> 'schema_version'
    LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', found.name);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', found.name);
        IF found.has_store THEN
            EXECUTE format('CREATE POLICY isolation ON %I'
                ' USING (tenant_id = current_tenant() AND store_id = current_store())'
                ' WITH CHECK (tenant_id = current_tenant() AND store_id = current_store())',
                found.name);
        ELSE
            EXECUTE format('CREATE POLICY isolation ON %I'
                ' USING (tenant_id = current_tenant()) WITH CHECK (tenant_id = current_tenant())',
                found.name);
        END IF;
        IF NOT found.is_partition THEN
            EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO holdfast_app',
                found.name);
        END IF;
    END LOOP;
END
$$;

GRANT USAGE ON SCHEMA holdfast TO holdfast_app;
GRANT SELECT ON schema_version TO holdfast_app;

INSERT INTO schema_version (number) VALUES (1);
