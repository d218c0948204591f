-- Tasks. The rows of task are sealed; the other two tables are derived from them.

CREATE TABLE task (
    tenant_id  uuid NOT NULL DEFAULT current_tenant(),
    store_id   uuid NOT NULL DEFAULT current_store(),
    id         text COLLATE "C" NOT NULL,
    repo       text COLLATE "C" NOT NULL,   -- '' outside a repository
    external   text COLLATE "C",            -- its id in the file of another program
    created_at bigint NOT NULL,
    body       text COLLATE "C" NOT NULL CHECK (body IS JSON),
    salt       bytea NOT NULL,
    row_hash   bytea NOT NULL CHECK (length(row_hash) = 32),
    PRIMARY KEY (tenant_id, store_id, id),
    FOREIGN KEY (tenant_id, store_id) REFERENCES memory_stores (tenant_id, id)
);

CREATE UNIQUE INDEX task_external ON task (tenant_id, store_id, repo, external)
    WHERE external IS NOT NULL;

-- A task waits for the tasks that it comes after, and a parent waits for its children.
CREATE TABLE task_edge (
    tenant_id  uuid NOT NULL DEFAULT current_tenant(),
    store_id   uuid NOT NULL DEFAULT current_store(),
    task       text COLLATE "C" NOT NULL,
    depends_on text COLLATE "C" NOT NULL,
    kind       text COLLATE "C" NOT NULL CHECK (kind IN ('after', 'child')),
    PRIMARY KEY (tenant_id, store_id, task, depends_on, kind),
    FOREIGN KEY (tenant_id, store_id) REFERENCES memory_stores (tenant_id, id)
);

CREATE INDEX task_edge_back ON task_edge (tenant_id, store_id, depends_on, task);

CREATE TABLE task_index (
    tenant_id   uuid NOT NULL DEFAULT current_tenant(),
    store_id    uuid NOT NULL DEFAULT current_store(),
    id          text COLLATE "C" NOT NULL,
    repo        text COLLATE "C" NOT NULL,
    status      text COLLATE "C" NOT NULL,
    kind        text COLLATE "C" NOT NULL,
    priority    integer NOT NULL,
    parent      text COLLATE "C",
    holder      text COLLATE "C",
    lease_until bigint,
    aside       text COLLATE "C" NOT NULL,    -- the branch point on a side branch, else ''
    level       integer NOT NULL DEFAULT 0,   -- above the level of every task that it waits for
    waits_for   integer NOT NULL DEFAULT 0,   -- how many of those are not done
    unblocks    integer NOT NULL DEFAULT 0,   -- how many tasks that are not done wait for it
    PRIMARY KEY (tenant_id, store_id, id),
    FOREIGN KEY (tenant_id, store_id) REFERENCES memory_stores (tenant_id, id)
);

CREATE INDEX task_ready   ON task_index (tenant_id, store_id, repo, priority, unblocks DESC, id)
    WHERE status = 'open' AND waits_for = 0;
CREATE INDEX task_started ON task_index (tenant_id, store_id, repo, id) WHERE status = 'started';
CREATE INDEX task_tally   ON task_index (tenant_id, store_id, repo, status, waits_for, aside);
CREATE INDEX task_parent  ON task_index (tenant_id, store_id, parent, id) WHERE parent IS NOT NULL;
CREATE INDEX task_aside   ON task_index (tenant_id, store_id, repo, aside) WHERE aside <> '';

DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['task', 'task_edge', 'task_index'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
        EXECUTE format('CREATE POLICY isolation ON %I'
            ' USING (tenant_id = current_tenant() AND store_id = current_store())'
            ' WITH CHECK (tenant_id = current_tenant() AND store_id = current_store())', name);
        EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO holdfast_app', name);
    END LOOP;
END
$$;

INSERT INTO schema_version (number) VALUES (10);
