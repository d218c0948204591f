-- Bulk work: a job of a store, and its parts. A worker leases a part for some seconds; the lease of
-- a worker that was killed ends by itself.

CREATE TABLE job (
    tenant_id  uuid NOT NULL DEFAULT current_tenant(),
    store_id   uuid NOT NULL DEFAULT current_store(),
    id         text COLLATE "C" NOT NULL,
    kind       text COLLATE "C" NOT NULL,
    state      text COLLATE "C" NOT NULL DEFAULT 'open'
               CHECK (state IN ('open', 'done', 'cancelled')),
    made_by    text COLLATE "C" NOT NULL,
    created_at bigint NOT NULL,
    PRIMARY KEY (tenant_id, store_id, id),
    FOREIGN KEY (tenant_id, store_id) REFERENCES memory_stores (tenant_id, id)
);

CREATE TABLE job_part (
    tenant_id   uuid NOT NULL DEFAULT current_tenant(),
    store_id    uuid NOT NULL DEFAULT current_store(),
    job         text COLLATE "C" NOT NULL,
    number      integer NOT NULL,
    stage       integer NOT NULL,
    state       text COLLATE "C" NOT NULL DEFAULT 'waiting'
                CHECK (state IN ('waiting', 'done', 'failed')),
    payload     text COLLATE "C" NOT NULL,   -- emptied when the part is done
    worker      text COLLATE "C" NOT NULL DEFAULT '',
    token       uuid,                        -- of the lease; another lease has another token
    lease_until timestamptz,
    leases      integer NOT NULL DEFAULT 0,
    problem     text COLLATE "C" NOT NULL DEFAULT '',
    PRIMARY KEY (tenant_id, store_id, job, number),
    FOREIGN KEY (tenant_id, store_id, job) REFERENCES job (tenant_id, store_id, id)
);

CREATE INDEX job_part_waiting ON job_part (tenant_id, store_id, job, number)
    WHERE state = 'waiting';

DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['job', 'job_part'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
        EXECUTE format('CREATE POLICY isolation ON %I'
            ' USING (tenant_id = current_tenant() AND store_id = current_store())'
            ' WITH CHECK (tenant_id = current_tenant() AND store_id = current_store())', name);
        EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO holdfast_app', name);
    END LOOP;
END
$$;

INSERT INTO schema_version (number) VALUES (6);
