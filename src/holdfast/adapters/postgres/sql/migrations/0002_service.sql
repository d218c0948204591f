-- The server: the tokens of its callers, and its answers to requests that a client may repeat.
-- Both belong to this store only; they are no events, and no export contains them.

CREATE TABLE access_token (
    tenant_id   uuid NOT NULL DEFAULT current_tenant(),
    store_id    uuid NOT NULL DEFAULT current_store(),
    id          text COLLATE "C" NOT NULL,
    name        text COLLATE "C" NOT NULL,
    kind        text COLLATE "C" NOT NULL,
    may         text COLLATE "C" NOT NULL CHECK (may IS JSON),
    secret_hash bytea NOT NULL CHECK (length(secret_hash) = 32),
    created_at  bigint NOT NULL,
    expires_at  bigint,
    revoked_at  bigint,
    PRIMARY KEY (tenant_id, store_id, id),
    FOREIGN KEY (tenant_id, store_id) REFERENCES memory_stores (tenant_id, id)
);

CREATE TABLE reply (
    tenant_id    uuid NOT NULL DEFAULT current_tenant(),
    store_id     uuid NOT NULL DEFAULT current_store(),
    key          text COLLATE "C" NOT NULL,
    request_hash bytea NOT NULL CHECK (length(request_hash) = 32),
    status       integer NOT NULL,
    body         text COLLATE "C",   -- null after a memory in it was forgotten
    at           bigint NOT NULL,
    PRIMARY KEY (tenant_id, store_id, key),
    FOREIGN KEY (tenant_id, store_id) REFERENCES memory_stores (tenant_id, id)
);

CREATE INDEX reply_at ON reply (tenant_id, store_id, at);

ALTER TABLE access_token ENABLE ROW LEVEL SECURITY;
ALTER TABLE access_token FORCE ROW LEVEL SECURITY;
CREATE POLICY isolation ON access_token
 USING (tenant_id = current_tenant() AND store_id = current_store())
 WITH CHECK (tenant_id = current_tenant() AND store_id = current_store());
GRANT SELECT, INSERT, UPDATE, DELETE ON access_token TO holdfast_app;

ALTER TABLE reply ENABLE ROW LEVEL SECURITY;
ALTER TABLE reply FORCE ROW LEVEL SECURITY;
CREATE POLICY isolation ON reply
 USING (tenant_id = current_tenant() AND store_id = current_store())
 WITH CHECK (tenant_id = current_tenant() AND store_id = current_store());
GRANT SELECT, INSERT, UPDATE, DELETE ON reply TO holdfast_app;

INSERT INTO schema_version (number) VALUES (2);
