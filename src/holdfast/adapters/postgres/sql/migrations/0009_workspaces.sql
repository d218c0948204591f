-- Workspaces: folders that are kept in snapshots, their snapshots, and their files at the newest one.
-- The content itself is in files on the machine of each folder; the rows of files are derived.

CREATE TABLE workspace (
    tenant_id uuid NOT NULL DEFAULT current_tenant(),
    store_id  uuid NOT NULL DEFAULT current_store(),
    id        text COLLATE "C" NOT NULL,
    host      text COLLATE "C" NOT NULL,
    root      text COLLATE "C" NOT NULL,
    body      text COLLATE "C" NOT NULL CHECK (body IS JSON),
    salt      bytea NOT NULL,
    row_hash  bytea NOT NULL CHECK (length(row_hash) = 32),
    PRIMARY KEY (tenant_id, store_id, id),
    UNIQUE (tenant_id, store_id, host, root),
    FOREIGN KEY (tenant_id, store_id) REFERENCES memory_stores (tenant_id, id)
);

CREATE TABLE workspace_snapshot (
    tenant_id uuid NOT NULL DEFAULT current_tenant(),
    store_id  uuid NOT NULL DEFAULT current_store(),
    id        text COLLATE "C" NOT NULL,
    workspace text COLLATE "C" NOT NULL,
    taken_at  bigint NOT NULL,
    manifest  bytea NOT NULL CHECK (length(manifest) = 32),
    body      text COLLATE "C" NOT NULL CHECK (body IS JSON),
    salt      bytea NOT NULL,
    row_hash  bytea NOT NULL CHECK (length(row_hash) = 32),
    PRIMARY KEY (tenant_id, store_id, id),
    FOREIGN KEY (tenant_id, store_id, workspace) REFERENCES workspace (tenant_id, store_id, id)
);

CREATE INDEX workspace_snapshot_of ON workspace_snapshot (tenant_id, store_id, workspace, id);

CREATE TABLE workspace_file (
    tenant_id uuid NOT NULL DEFAULT current_tenant(),
    store_id  uuid NOT NULL DEFAULT current_store(),
    workspace text COLLATE "C" NOT NULL,
    path      text COLLATE "C" NOT NULL,
    kind      text COLLATE "C" NOT NULL CHECK (kind IN ('file', 'folder', 'link')),
    mode      integer NOT NULL,
    size      bigint NOT NULL,
    content   text COLLATE "C" NOT NULL,   -- the hash of a file, or the target of a link
    snapshot  text COLLATE "C" NOT NULL,   -- the snapshot that first had it so
    PRIMARY KEY (tenant_id, store_id, workspace, path),
    FOREIGN KEY (tenant_id, store_id, workspace) REFERENCES workspace (tenant_id, store_id, id)
);

DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['workspace', 'workspace_snapshot', 'workspace_file'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
        EXECUTE format('CREATE POLICY isolation ON %I'
            ' USING (tenant_id = current_tenant() AND store_id = current_store())'
            ' WITH CHECK (tenant_id = current_tenant() AND store_id = current_store())', name);
        EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO holdfast_app', name);
    END LOOP;
END
$$;

INSERT INTO schema_version (number) VALUES (9);
