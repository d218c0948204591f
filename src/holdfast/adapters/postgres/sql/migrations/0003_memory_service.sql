-- The tables of the memory service under their usual names and columns.
--
-- A store of the service has a user and a name; its space is named by its id. Every other space has
-- no user, and its name is that of its space.

ALTER TABLE memory_stores RENAME COLUMN store_name TO space;
ALTER TABLE memory_stores
    ADD COLUMN user_id         uuid,
    ADD COLUMN store_name      text COLLATE "C",
    ADD COLUMN embedding_model text COLLATE "C",   -- the newest model of its vectors
    ADD COLUMN last_accessed   timestamptz;

-- Row security binds the owner of the table too; the table is locked until the end.
ALTER TABLE memory_stores NO FORCE ROW LEVEL SECURITY;
UPDATE memory_stores SET store_name = space;
ALTER TABLE memory_stores FORCE ROW LEVEL SECURITY;

ALTER TABLE memory_stores
    ALTER COLUMN store_name SET NOT NULL,
    ADD CONSTRAINT store_of_user UNIQUE (tenant_id, user_id, store_name);

-- A memory's id has 128 bits in letters of five bits each; its UUID is the same number. An id of
-- another form gets the hash of its text.

CREATE FUNCTION memory_uuid(id text) RETURNS uuid LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT AS
$$
DECLARE
    bits varbit := B'';
BEGIN
    IF id !~ '^m_[0-7][0-9a-hjkmnp-tv-z]{25}$' THEN
        RETURN md5(id)::uuid;
    END IF;
    FOR place IN 3 .. 28 LOOP
        bits := bits || (strpos('0123456789abcdefghjkmnpqrstvwxyz', substr(id, place, 1)) - 1)::bit(5);
    END LOOP;
    RETURN (lpad(to_hex(substring(bits FROM 3 FOR 64)::bit(64)::bigint), 16, '0')
            || lpad(to_hex(substring(bits FROM 67 FOR 64)::bit(64)::bigint), 16, '0'))::uuid;
END
$$;

-- Stored, because row security keeps an index on the function itself from being used.
ALTER TABLE memory ADD COLUMN uuid uuid GENERATED ALWAYS AS (memory_uuid(id)) STORED;
CREATE INDEX memory_of_uuid ON memory (tenant_id, uuid);

-- The accepted memories. The source and the type are as they were given to the service.

CREATE VIEW memories WITH (security_invoker = true) AS
SELECT m.uuid                                                     AS id,
       m.tenant_id,
       m.store_id,
       m.value                                                    AS content,
       (SELECT p.vector::vector FROM embedding_part p
         WHERE p.tenant_id = m.tenant_id AND p.store_id = m.store_id AND p.seq = m.seq
           AND p.part = 0
         ORDER BY p.model DESC LIMIT 1)                           AS embedding,
       coalesce(m.metadata::jsonb ->> 'holdfast.type', m.kind)    AS memory_type,
       nullif(regexp_replace(m.source, '^memory-service:?', ''), '') AS source,
       m.importance,
       coalesce(u.access_count, 0)                                AS access_count,
       to_timestamp(u.last_accessed / 1000.0)                     AS last_accessed,
       to_timestamp(m.expires_at / 1000.0)                        AS expires_at,
       m.metadata::jsonb - 'holdfast.type'                        AS metadata,
       to_timestamp(m.created_at / 1000.0)                        AS created_at
  FROM memory m
  JOIN memory_standing s ON s.tenant_id = m.tenant_id AND s.store_id = m.store_id AND s.seq = m.seq
  LEFT JOIN memory_usage u
    ON u.tenant_id = m.tenant_id AND u.store_id = m.store_id AND u.seq = m.seq
 WHERE s.status = 'accepted';

-- The relationships. Links that only record a judgement about two memories are left out.

CREATE VIEW memory_relationships WITH (security_invoker = true) AS
SELECT md5(l.src || ' ' || l.dst || ' ' || l.kind)::uuid          AS id,
       l.tenant_id,
       l.store_id,
       source.uuid                                                AS source_memory_id,
       target.uuid                                                AS target_memory_id,
       regexp_replace(l.kind, '^service:', '')                    AS relationship_type,
       l.score                                                    AS strength
  FROM memory_link l
  JOIN memory source
    ON source.tenant_id = l.tenant_id AND source.store_id = l.store_id AND source.id = l.src
  JOIN memory target
    ON target.tenant_id = l.tenant_id AND target.store_id = l.store_id AND target.id = l.dst
 WHERE l.kind NOT IN ('contradicts', 'compatible', 'withdrawn');

GRANT SELECT ON memories, memory_relationships TO holdfast_app;

INSERT INTO schema_version (number) VALUES (3);
