-- Agents: their identity, their cycles with a proposal and a result each, and their namespaces. The
-- lease of an agent is of this store only: no event, in no export and no copy.

CREATE TABLE agent (
    tenant_id  uuid NOT NULL DEFAULT current_tenant(),
    store_id   uuid NOT NULL DEFAULT current_store(),
    id         text COLLATE "C" NOT NULL,
    name       text COLLATE "C" NOT NULL,
    created_at bigint NOT NULL,
    directives text COLLATE "C" NOT NULL,
    config     text COLLATE "C" NOT NULL CHECK (config IS JSON),
    salt       bytea NOT NULL,
    row_hash   bytea NOT NULL CHECK (length(row_hash) = 32),
    PRIMARY KEY (tenant_id, store_id, id),
    UNIQUE (tenant_id, store_id, name),
    FOREIGN KEY (tenant_id, store_id) REFERENCES memory_stores (tenant_id, id)
);

CREATE TABLE agent_cycle (
    tenant_id   uuid NOT NULL DEFAULT current_tenant(),
    store_id    uuid NOT NULL DEFAULT current_store(),
    agent_id    text COLLATE "C" NOT NULL,
    cycle_index bigint NOT NULL CHECK (cycle_index > 0),
    started_at  bigint NOT NULL,
    epoch       bigint NOT NULL,   -- the opening of the agent that began it
    salt        bytea NOT NULL,
    row_hash    bytea NOT NULL CHECK (length(row_hash) = 32),
    PRIMARY KEY (tenant_id, store_id, agent_id, cycle_index),
    FOREIGN KEY (tenant_id, store_id, agent_id) REFERENCES agent (tenant_id, store_id, id)
);

CREATE TABLE action_proposal (
    tenant_id   uuid NOT NULL DEFAULT current_tenant(),
    store_id    uuid NOT NULL DEFAULT current_store(),
    agent_id    text COLLATE "C" NOT NULL,
    cycle_index bigint NOT NULL,
    tool        text COLLATE "C" NOT NULL,
    body        text COLLATE "C" NOT NULL CHECK (body IS JSON),
    salt        bytea NOT NULL,
    row_hash    bytea NOT NULL CHECK (length(row_hash) = 32),
    PRIMARY KEY (tenant_id, store_id, agent_id, cycle_index),
    FOREIGN KEY (tenant_id, store_id, agent_id, cycle_index)
        REFERENCES agent_cycle (tenant_id, store_id, agent_id, cycle_index)
);

CREATE TABLE action_result (
    tenant_id   uuid NOT NULL DEFAULT current_tenant(),
    store_id    uuid NOT NULL DEFAULT current_store(),
    agent_id    text COLLATE "C" NOT NULL,
    cycle_index bigint NOT NULL,
    failed      integer NOT NULL CHECK (failed IN (0, 1)),
    body        text COLLATE "C" NOT NULL CHECK (body IS JSON),
    salt        bytea NOT NULL,
    row_hash    bytea NOT NULL CHECK (length(row_hash) = 32),
    PRIMARY KEY (tenant_id, store_id, agent_id, cycle_index),
    FOREIGN KEY (tenant_id, store_id, agent_id, cycle_index)
        REFERENCES action_proposal (tenant_id, store_id, agent_id, cycle_index)
);

CREATE TABLE memory_index (
    tenant_id   uuid NOT NULL DEFAULT current_tenant(),
    store_id    uuid NOT NULL DEFAULT current_store(),
    agent_id    text COLLATE "C" NOT NULL,
    memory_id   text COLLATE "C" NOT NULL,
    namespace   text COLLATE "C" NOT NULL,
    at          bigint NOT NULL,
    cycle_index bigint,   -- null for a memory that no cycle remembered
    salt        bytea NOT NULL,
    row_hash    bytea NOT NULL CHECK (length(row_hash) = 32),
    PRIMARY KEY (tenant_id, store_id, agent_id, memory_id, namespace),
    FOREIGN KEY (tenant_id, store_id, agent_id) REFERENCES agent (tenant_id, store_id, id),
    FOREIGN KEY (tenant_id, store_id, memory_id) REFERENCES memory (tenant_id, store_id, id)
);

CREATE TABLE agent_lease (
    tenant_id uuid NOT NULL DEFAULT current_tenant(),
    store_id  uuid NOT NULL DEFAULT current_store(),
    agent_id  text COLLATE "C" NOT NULL,
    token     text COLLATE "C" NOT NULL,
    epoch     bigint NOT NULL,
    holder    text COLLATE "C" NOT NULL,
    until     bigint,   -- null after the agent was closed
    PRIMARY KEY (tenant_id, store_id, agent_id),
    FOREIGN KEY (tenant_id, store_id) REFERENCES memory_stores (tenant_id, id)
);

CREATE INDEX index_namespace ON memory_index (tenant_id, store_id, namespace, agent_id);
CREATE INDEX index_memory    ON memory_index (tenant_id, store_id, memory_id);

DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['agent', 'agent_cycle', 'action_proposal', 'action_result',
                                'memory_index', 'agent_lease'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
        EXECUTE format('CREATE POLICY isolation ON %I'
            ' USING (tenant_id = current_tenant() AND store_id = current_store())'
            ' WITH CHECK (tenant_id = current_tenant() AND store_id = current_store())', name);
        EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO holdfast_app', name);
    END LOOP;
END
$$;

-- An agent's own notes have a status of their own.

ALTER TABLE memory_standing DROP CONSTRAINT memory_standing_status_check;
ALTER TABLE memory_standing ADD CONSTRAINT memory_standing_status_check CHECK (status IN (
    'candidate', 'accepted', 'rejected', 'superseded', 'deprecated', 'noted'));

INSERT INTO schema_version (number) VALUES (11);
