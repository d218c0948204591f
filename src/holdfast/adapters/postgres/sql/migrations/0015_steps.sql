-- The queue of supervised runs: a step is written before its specialist starts, and when it ends.

CREATE TABLE run_step (
    tenant_id uuid NOT NULL DEFAULT current_tenant(),
    store_id  uuid NOT NULL DEFAULT current_store(),
    id        text COLLATE "C" NOT NULL,   -- the run and the number, as r_…/3
    run_id    text COLLATE "C" NOT NULL,
    number    integer NOT NULL CHECK (number > 0),
    status    text COLLATE "C" NOT NULL,
    body      text COLLATE "C" NOT NULL CHECK (body IS JSON),
    salt      bytea NOT NULL,
    row_hash  bytea NOT NULL CHECK (length(row_hash) = 32),
    PRIMARY KEY (tenant_id, store_id, id),
    FOREIGN KEY (tenant_id, store_id) REFERENCES memory_stores (tenant_id, id),
    FOREIGN KEY (tenant_id, store_id, run_id) REFERENCES run (tenant_id, store_id, id)
);

CREATE UNIQUE INDEX run_step_number ON run_step (tenant_id, store_id, run_id, number);

ALTER TABLE run_step ENABLE ROW LEVEL SECURITY;
ALTER TABLE run_step FORCE ROW LEVEL SECURITY;
CREATE POLICY isolation ON run_step
    USING (tenant_id = current_tenant() AND store_id = current_store())
    WITH CHECK (tenant_id = current_tenant() AND store_id = current_store());
GRANT SELECT, INSERT, UPDATE, DELETE ON run_step TO holdfast_app;

INSERT INTO schema_version (number) VALUES (15);
