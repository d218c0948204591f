-- Searches that depend less on what the server guesses.
--
-- The exact number of the memories with a common word, up to a sequence: a search counts only the
-- later ones. Without this it counts all entries of each common word.

ALTER TABLE common_term
    ADD COLUMN holding bigint NOT NULL DEFAULT 0,   -- memories with the term, up to a sequence
    ADD COLUMN up_to   bigint NOT NULL DEFAULT 0;   -- that sequence

-- Row security binds the owner of the tables too; they are locked until the end.
ALTER TABLE common_term NO FORCE ROW LEVEL SECURITY;
ALTER TABLE memory_term NO FORCE ROW LEVEL SECURITY;
ALTER TABLE memory_stores NO FORCE ROW LEVEL SECURITY;
UPDATE common_term c
   SET up_to = s.last_memory,
       holding = (SELECT count(*) FROM memory_term o
                   WHERE o.tenant_id = c.tenant_id AND o.store_id = c.store_id
                     AND o.term = c.term AND o.seq <= s.last_memory)
  FROM memory_stores s
 WHERE s.tenant_id = c.tenant_id AND s.id = c.store_id;
ALTER TABLE common_term FORCE ROW LEVEL SECURITY;
ALTER TABLE memory_term FORCE ROW LEVEL SECURITY;
ALTER TABLE memory_stores FORCE ROW LEVEL SECURITY;

-- The nearest vectors by the index. The server takes the distance of two vectors for as cheap as a
-- comparison of two numbers, so it would rather sort thousands of vectors than use the index; inside
-- this function it does not sort. The function runs with the rights of the caller: row level
-- security binds it.

CREATE FUNCTION nearest_by_index(wanted integer, size integer, asked halfvec, many integer)
RETURNS TABLE (seq bigint, cosine double precision)
LANGUAGE plpgsql STABLE SET enable_sort = off AS $$
BEGIN
    CASE size
    WHEN 256 THEN
        RETURN QUERY SELECT p.seq, 1 - (p.vector::halfvec(256) <=> asked::halfvec(256))
          FROM embedding_part p WHERE p.model = wanted AND p.dimension = 256
         ORDER BY p.vector::halfvec(256) <=> asked::halfvec(256) LIMIT many;
    WHEN 384 THEN
        RETURN QUERY SELECT p.seq, 1 - (p.vector::halfvec(384) <=> asked::halfvec(384))
          FROM embedding_part p WHERE p.model = wanted AND p.dimension = 384
         ORDER BY p.vector::halfvec(384) <=> asked::halfvec(384) LIMIT many;
    WHEN 512 THEN
        RETURN QUERY SELECT p.seq, 1 - (p.vector::halfvec(512) <=> asked::halfvec(512))
          FROM embedding_part p WHERE p.model = wanted AND p.dimension = 512
         ORDER BY p.vector::halfvec(512) <=> asked::halfvec(512) LIMIT many;
    WHEN 768 THEN
        RETURN QUERY SELECT p.seq, 1 - (p.vector::halfvec(768) <=> asked::halfvec(768))
          FROM embedding_part p WHERE p.model = wanted AND p.dimension = 768
         ORDER BY p.vector::halfvec(768) <=> asked::halfvec(768) LIMIT many;
    WHEN 1024 THEN
        RETURN QUERY SELECT p.seq, 1 - (p.vector::halfvec(1024) <=> asked::halfvec(1024))
          FROM embedding_part p WHERE p.model = wanted AND p.dimension = 1024
         ORDER BY p.vector::halfvec(1024) <=> asked::halfvec(1024) LIMIT many;
    WHEN 1536 THEN
        RETURN QUERY SELECT p.seq, 1 - (p.vector::halfvec(1536) <=> asked::halfvec(1536))
          FROM embedding_part p WHERE p.model = wanted AND p.dimension = 1536
         ORDER BY p.vector::halfvec(1536) <=> asked::halfvec(1536) LIMIT many;
    WHEN 3072 THEN
        RETURN QUERY SELECT p.seq, 1 - (p.vector::halfvec(3072) <=> asked::halfvec(3072))
          FROM embedding_part p WHERE p.model = wanted AND p.dimension = 3072
         ORDER BY p.vector::halfvec(3072) <=> asked::halfvec(3072) LIMIT many;
    END CASE;
END
$$;

INSERT INTO schema_version (number) VALUES (21);
