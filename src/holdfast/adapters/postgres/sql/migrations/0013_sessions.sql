-- What sessions keep for the next one, and what repositories keep: number 0 of a session is what it
-- keeps beside its turns, the other numbers are its turns; 'project ' and the id of a repository is
-- what the repository keeps.

CREATE TABLE session_record (
    tenant_id uuid NOT NULL DEFAULT current_tenant(),
    store_id  uuid NOT NULL DEFAULT current_store(),
    subject   text COLLATE "C" NOT NULL,
    number    bigint NOT NULL,
    repo      text COLLATE "C" NOT NULL,   -- '' outside a repository
    branch    text COLLATE "C",
    hidden    bigint NOT NULL,
    at        bigint NOT NULL,
    body      text COLLATE "C" NOT NULL CHECK (body IS JSON),
    salt      bytea NOT NULL,
    row_hash  bytea NOT NULL CHECK (length(row_hash) = 32),
    PRIMARY KEY (tenant_id, store_id, subject, number),
    FOREIGN KEY (tenant_id, store_id) REFERENCES memory_stores (tenant_id, id)
);

CREATE INDEX record_turns ON session_record (tenant_id, repo, store_id, branch, at)
    WHERE number > 0 AND hidden = 0;
CREATE INDEX record_newest ON session_record (tenant_id, repo, store_id, at)
    WHERE number > 0 AND hidden = 0;
CREATE INDEX record_sessions ON session_record (tenant_id, repo, store_id, at) WHERE number = 0;

ALTER TABLE session_record ENABLE ROW LEVEL SECURITY;
ALTER TABLE session_record FORCE ROW LEVEL SECURITY;
CREATE POLICY isolation ON session_record
    USING (tenant_id = current_tenant() AND store_id = current_store())
    WITH CHECK (tenant_id = current_tenant() AND store_id = current_store());
GRANT SELECT, INSERT, UPDATE, DELETE ON session_record TO holdfast_app;

INSERT INTO schema_version (number) VALUES (13);
