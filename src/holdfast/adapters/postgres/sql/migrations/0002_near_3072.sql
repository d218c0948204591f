-- An index for the vectors of text-embedding-3-large. halfvec has indexes up to 4,000 numbers.

CREATE INDEX near_3072 ON embedding_part
 USING hnsw ((vector::halfvec(3072)) halfvec_cosine_ops) WHERE dimension = 3072;

INSERT INTO schema_version (number) VALUES (2);
