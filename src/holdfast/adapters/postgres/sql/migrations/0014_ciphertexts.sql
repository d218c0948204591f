-- The encrypted contents of sensitive memories, and of the directives, proposals and results of agents.

CREATE TABLE ciphertext (
    tenant_id uuid NOT NULL DEFAULT current_tenant(),
    store_id  uuid NOT NULL DEFAULT current_store(),
    record    text COLLATE "C" NOT NULL,   -- the id of a memory, or an agent's id and the part of it
    key_id    text COLLATE "C" NOT NULL,
    digest    text COLLATE "C" NOT NULL,   -- a keyed hash of a claim, to find equal ones; else ''
    body      text COLLATE "C" NOT NULL,
    salt      bytea NOT NULL,
    row_hash  bytea NOT NULL CHECK (length(row_hash) = 32),
    PRIMARY KEY (tenant_id, store_id, record),
    FOREIGN KEY (tenant_id, store_id) REFERENCES memory_stores (tenant_id, id)
);

CREATE INDEX ciphertext_digest ON ciphertext (tenant_id, digest, store_id) WHERE digest <> '';

ALTER TABLE ciphertext ENABLE ROW LEVEL SECURITY;
ALTER TABLE ciphertext FORCE ROW LEVEL SECURITY;
CREATE POLICY isolation ON ciphertext
    USING (tenant_id = current_tenant() AND store_id = current_store())
    WITH CHECK (tenant_id = current_tenant() AND store_id = current_store());
GRANT SELECT, INSERT, UPDATE, DELETE ON ciphertext TO holdfast_app;

INSERT INTO schema_version (number) VALUES (14);
