-- Each lookup has one index that fits.
--
-- The server does not know how many rows a store has. Before the first ANALYZE it takes a store for
-- a single row; then every index that begins with the tenant and the store costs the same, and it
-- may read a whole store to find one row, also in the check of a foreign key. So the primary key
-- alone begins with the tenant and the store; every other index of a large table has the column that
-- it finds between them, as term_seq has.

ALTER TABLE memory_link
    DROP CONSTRAINT memory_link_tenant_id_store_id_src_fkey,
    DROP CONSTRAINT memory_link_tenant_id_store_id_dst_fkey;
ALTER TABLE memory_index DROP CONSTRAINT memory_index_tenant_id_store_id_memory_id_fkey;
ALTER TABLE memory
    DROP CONSTRAINT memory_tenant_id_store_id_id_key,
    ADD UNIQUE (tenant_id, id, store_id);
ALTER TABLE memory_link
    ADD FOREIGN KEY (tenant_id, store_id, src) REFERENCES memory (tenant_id, store_id, id),
    ADD FOREIGN KEY (tenant_id, store_id, dst) REFERENCES memory (tenant_id, store_id, id);
ALTER TABLE memory_index
    ADD FOREIGN KEY (tenant_id, store_id, memory_id) REFERENCES memory (tenant_id, store_id, id);

DROP INDEX memory_near, memory_kind, link_dst, interaction_session, event_subject,
    standpoint_repo, cites_seq, turn_thread;
CREATE INDEX memory_near         ON memory (tenant_id, near_hash, store_id);
CREATE INDEX memory_kind         ON memory (tenant_id, kind, store_id, seq);
CREATE INDEX link_dst            ON memory_link (tenant_id, dst, store_id);
CREATE INDEX interaction_session ON interaction (tenant_id, session_id, store_id);
CREATE INDEX event_subject       ON event (tenant_id, md5(subject), store_id);
CREATE INDEX standpoint_repo     ON standpoint (tenant_id, repo, store_id, place);
CREATE INDEX cites_seq           ON memory_cites (tenant_id, seq, store_id);
CREATE INDEX turn_thread         ON memory_turn (tenant_id, md5(thread), store_id, turn);

-- Every unit of work adds a row to work_done, whose foreign key proves that the store exists and
-- keeps it until the end. Rows that can be rebuilt are not proved again, each by itself: a memory has
-- dozens of words.

DO $$
DECLARE
    derived text;
BEGIN
    FOREACH derived IN ARRAY ARRAY['memory_parts', 'memory_cites', 'memory_term', 'common_term',
                                   'memory_band', 'memory_tag', 'memory_turn', 'memory_name'] LOOP
        EXECUTE format('ALTER TABLE %I DROP CONSTRAINT %I', derived,
                       derived || '_tenant_id_store_id_fkey');
    END LOOP;
END
$$;

INSERT INTO schema_version (number) VALUES (12);
