-- What was said in sessions: the words of people and agents, to be quoted, never as knowledge. The
-- rows of said are sealed, but they are no events; the other three tables are derived from them.

CREATE TABLE said (
    tenant_id  uuid NOT NULL DEFAULT current_tenant(),
    store_id   uuid NOT NULL DEFAULT current_store(),
    session_id text COLLATE "C" NOT NULL,
    number     bigint NOT NULL CHECK (number > 0),
    seq        bigint NOT NULL,                 -- a later turn has a larger one
    repo       text COLLATE "C" NOT NULL,       -- '' outside a repository
    at         bigint NOT NULL,
    body       text COLLATE "C" NOT NULL CHECK (body IS JSON),
    salt       bytea NOT NULL,
    row_hash   bytea NOT NULL CHECK (length(row_hash) = 32),
    PRIMARY KEY (tenant_id, store_id, session_id, number),
    UNIQUE (tenant_id, seq, store_id),
    FOREIGN KEY (tenant_id, store_id) REFERENCES memory_stores (tenant_id, id),
    FOREIGN KEY (tenant_id, store_id, session_id) REFERENCES session (tenant_id, store_id, id)
);

CREATE INDEX said_at ON said (tenant_id, store_id, at);

CREATE TABLE said_place (
    tenant_id uuid NOT NULL DEFAULT current_tenant(),
    store_id  uuid NOT NULL DEFAULT current_store(),
    seq       bigint NOT NULL,
    repo      text COLLATE "C" NOT NULL,
    thread    text COLLATE "C" NOT NULL,
    turn      bigint NOT NULL,
    agent     bigint NOT NULL,
    length    bigint NOT NULL,
    asks      bigint NOT NULL,
    question  bigint NOT NULL,
    words     bigint NOT NULL,
    PRIMARY KEY (tenant_id, store_id, seq)
);

CREATE UNIQUE INDEX said_turn ON said_place (tenant_id, store_id, thread, turn);
CREATE INDEX said_repo ON said_place (tenant_id, store_id, repo, seq);

CREATE TABLE said_word (
    tenant_id uuid NOT NULL DEFAULT current_tenant(),
    store_id  uuid NOT NULL DEFAULT current_store(),
    word      text COLLATE "C" NOT NULL,
    seq       bigint NOT NULL,
    times     bigint NOT NULL,
    PRIMARY KEY (tenant_id, store_id, word, seq)
);

CREATE INDEX said_word_of ON said_word (tenant_id, seq, store_id);

CREATE TABLE said_vector (
    tenant_id uuid NOT NULL DEFAULT current_tenant(),
    store_id  uuid NOT NULL DEFAULT current_store(),
    model     text COLLATE "C" NOT NULL,
    seq       bigint NOT NULL,
    part      bigint NOT NULL,
    vector    halfvec NOT NULL,
    PRIMARY KEY (tenant_id, store_id, model, seq, part)
);

CREATE INDEX said_vector_of ON said_vector (tenant_id, seq, store_id);

ALTER TABLE said ENABLE ROW LEVEL SECURITY;
ALTER TABLE said FORCE ROW LEVEL SECURITY;
CREATE POLICY isolation ON said
    USING (tenant_id = current_tenant() AND store_id = current_store())
    WITH CHECK (tenant_id = current_tenant() AND store_id = current_store());
GRANT SELECT, INSERT, UPDATE, DELETE ON said TO holdfast_app;

ALTER TABLE said_place ENABLE ROW LEVEL SECURITY;
ALTER TABLE said_place FORCE ROW LEVEL SECURITY;
CREATE POLICY isolation ON said_place
    USING (tenant_id = current_tenant() AND store_id = current_store())
    WITH CHECK (tenant_id = current_tenant() AND store_id = current_store());
GRANT SELECT, INSERT, UPDATE, DELETE ON said_place TO holdfast_app;

ALTER TABLE said_word ENABLE ROW LEVEL SECURITY;
ALTER TABLE said_word FORCE ROW LEVEL SECURITY;
CREATE POLICY isolation ON said_word
    USING (tenant_id = current_tenant() AND store_id = current_store())
    WITH CHECK (tenant_id = current_tenant() AND store_id = current_store());
GRANT SELECT, INSERT, UPDATE, DELETE ON said_word TO holdfast_app;

ALTER TABLE said_vector ENABLE ROW LEVEL SECURITY;
ALTER TABLE said_vector FORCE ROW LEVEL SECURITY;
CREATE POLICY isolation ON said_vector
    USING (tenant_id = current_tenant() AND store_id = current_store())
    WITH CHECK (tenant_id = current_tenant() AND store_id = current_store());
GRANT SELECT, INSERT, UPDATE, DELETE ON said_vector TO holdfast_app;

-- A memory whose evidence is a turn of a recorded session, as i_…/3, is a turn of that thread too.
-- Row security binds the owner of the tables too; they are locked until the end.

ALTER TABLE memory NO FORCE ROW LEVEL SECURITY;
ALTER TABLE memory_turn NO FORCE ROW LEVEL SECURITY;
INSERT INTO memory_turn (tenant_id, store_id, seq, thread, turn)
SELECT DISTINCT ON (m.tenant_id, m.store_id, m.seq) m.tenant_id, m.store_id, m.seq,
       split_part(given.value ->> 'ref', '/', 1), split_part(given.value ->> 'ref', '/', 2)::bigint
  FROM memory m, jsonb_array_elements(m.source_json::jsonb) WITH ORDINALITY AS given(value, place)
 WHERE given.value ->> 'type' = 'turn'
   AND given.value ->> 'ref' ~ '^i_[0-9A-Za-z_]+/[0-9]{1,9}$'
 ORDER BY m.tenant_id, m.store_id, m.seq, given.place
    ON CONFLICT DO NOTHING;
ALTER TABLE memory FORCE ROW LEVEL SECURITY;
ALTER TABLE memory_turn FORCE ROW LEVEL SECURITY;

INSERT INTO schema_version (number) VALUES (17);
