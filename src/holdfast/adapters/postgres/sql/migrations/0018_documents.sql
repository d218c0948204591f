-- What frameworks keep under names, exactly as they gave it: files of memory tools, values of
-- stores, items of conversations, checkpoints of graphs. The rows are sealed, but they are no
-- events; the memory that carries the text of a document is an event of its own.

CREATE TABLE document (
    tenant_id  uuid NOT NULL DEFAULT current_tenant(),
    store_id   uuid NOT NULL DEFAULT current_store(),
    collection text COLLATE "C" NOT NULL,   -- which framework keeps it
    namespace  text COLLATE "C" NOT NULL,   -- labels, as a JSON array
    key        text COLLATE "C" NOT NULL,
    place      bigint NOT NULL,             -- the order in which documents came
    version    bigint NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    expires_at bigint,
    memory_id  text COLLATE "C",            -- the memory that carries its text
    body       text COLLATE "C" NOT NULL CHECK (body IS JSON),
    salt       bytea NOT NULL,
    row_hash   bytea NOT NULL CHECK (length(row_hash) = 32),
    PRIMARY KEY (tenant_id, store_id, collection, namespace, key),
    UNIQUE (tenant_id, store_id, place),
    FOREIGN KEY (tenant_id, store_id) REFERENCES memory_stores (tenant_id, id)
);

CREATE INDEX document_memory ON document (tenant_id, store_id, memory_id)
    WHERE memory_id IS NOT NULL;
CREATE INDEX document_expiry ON document (tenant_id, store_id, expires_at)
    WHERE expires_at IS NOT NULL;
CREATE INDEX document_place  ON document (tenant_id, store_id, collection, place);

ALTER TABLE document ENABLE ROW LEVEL SECURITY;
ALTER TABLE document FORCE ROW LEVEL SECURITY;
CREATE POLICY isolation ON document
    USING (tenant_id = current_tenant() AND store_id = current_store())
    WITH CHECK (tenant_id = current_tenant() AND store_id = current_store());
GRANT SELECT, INSERT, UPDATE, DELETE ON document TO holdfast_app;

INSERT INTO schema_version (number) VALUES (18);
