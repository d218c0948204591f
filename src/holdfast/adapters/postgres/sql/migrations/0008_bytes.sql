-- The bytes of the texts of each store, for quotas: the claims of its memories with their evidence,
-- tags and metadata. Memories and evidence never change, so what an insert adds, a delete takes away.

ALTER TABLE memory_stores ADD COLUMN total_bytes bigint NOT NULL DEFAULT 0;

CREATE FUNCTION bytes_of(texts text[]) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (SELECT coalesce(sum(octet_length(one)), 0) FROM unnest(texts) AS one);

-- Row security binds the owner of the tables too; they are locked until the end.
ALTER TABLE memory_stores NO FORCE ROW LEVEL SECURITY;
ALTER TABLE memory NO FORCE ROW LEVEL SECURITY;
ALTER TABLE memory_evidence NO FORCE ROW LEVEL SECURITY;
UPDATE memory_stores s SET total_bytes = found.bytes
  FROM (SELECT tenant_id, store_id, sum(bytes) AS bytes
          FROM (SELECT tenant_id, store_id,
                       bytes_of(ARRAY[value, source, tags, metadata, source_json]) AS bytes
                  FROM memory
                UNION ALL
                SELECT tenant_id, store_id, bytes_of(ARRAY[source_json]) FROM memory_evidence) each
         GROUP BY tenant_id, store_id) found
 WHERE s.tenant_id = found.tenant_id AND s.id = found.store_id;
ALTER TABLE memory_stores FORCE ROW LEVEL SECURITY;
ALTER TABLE memory FORCE ROW LEVEL SECURITY;
ALTER TABLE memory_evidence FORCE ROW LEVEL SECURITY;

CREATE FUNCTION count_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    more bigint;
BEGIN
    IF TG_TABLE_NAME = 'memory' THEN
        SELECT coalesce(sum(holdfast.bytes_of(
                   ARRAY[value, source, tags, metadata, source_json])), 0)
          INTO more FROM touched;
    ELSE
        SELECT coalesce(sum(holdfast.bytes_of(ARRAY[source_json])), 0) INTO more FROM touched;
    END IF;
    IF TG_OP = 'DELETE' THEN
        more := -more;
    END IF;
    IF more <> 0 THEN
        UPDATE holdfast.memory_stores SET total_bytes = total_bytes + more
         WHERE tenant_id = holdfast.current_tenant() AND id = holdfast.current_store();
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER bytes_added AFTER INSERT ON memory
    REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION count_bytes();
CREATE TRIGGER bytes_removed AFTER DELETE ON memory
    REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION count_bytes();
CREATE TRIGGER bytes_added AFTER INSERT ON memory_evidence
    REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION count_bytes();
CREATE TRIGGER bytes_removed AFTER DELETE ON memory_evidence
    REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION count_bytes();

INSERT INTO schema_version (number) VALUES (8);
