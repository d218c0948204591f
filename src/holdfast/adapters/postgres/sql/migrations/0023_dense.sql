-- A denser graph for the search by meaning.
--
-- The graph of pgvector's defaults, with 16 links of each vector, missed more than one in a hundred
-- of the nearest vectors in some builds. An upgrade of a store with vectors builds the indexes of its
-- partitions under these names before this migration begins, while programs go on reading and
-- writing. The index of the whole table takes them over, so no large index is built here.

DO $$
DECLARE
    size integer;
    definition CONSTANT text := 'USING hnsw ((vector::halfvec(%1$s)) halfvec_cosine_ops)'
        ' WITH (m = 24, ef_construction = 100) WHERE dimension = %1$s';
BEGIN
    FOREACH size IN ARRAY ARRAY[256, 384, 512, 768, 1024, 1536, 3072] LOOP
        FOR number IN 0..7 LOOP
            EXECUTE format('CREATE INDEX IF NOT EXISTS near_%1$s_%2$s ON embedding_part_%2$s '
                || definition, size, number);
        END LOOP;
        EXECUTE format('DROP INDEX near_%s', size);
        EXECUTE format('CREATE INDEX near_%1$s ON embedding_part ' || definition, size);
    END LOOP;
END
$$;

INSERT INTO schema_version (number, readable_from) VALUES (23, 22);
