-- name: put_said
INSERT INTO said (session_id, number, seq, repo, at, body, salt, row_hash)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
ON CONFLICT (tenant_id, store_id, session_id, number) DO UPDATE
   SET seq = excluded.seq, repo = excluded.repo, at = excluded.at, body = excluded.body,
       salt = excluded.salt, row_hash = excluded.row_hash;

-- name: get_said
SELECT session_id, number, seq, repo, at, body, salt, row_hash
  FROM said WHERE session_id = $1 AND number = $2;

-- name: said_sequences_from
-- The sequences that are taken from one on, to find the next free one.
SELECT seq FROM said WHERE seq >= $1 ORDER BY seq LIMIT 100;

-- name: said_of
SELECT session_id, number, seq, repo, at, body, salt, row_hash
  FROM said WHERE session_id = $1 ORDER BY number;

-- name: said_after
SELECT session_id, number, seq, repo, at, body, salt, row_hash
  FROM said WHERE (session_id, number) > (:session, :number)
 ORDER BY session_id, number LIMIT :limit;

-- name: said_before
SELECT session_id, number, seq, repo, at, body, salt, row_hash
  FROM said WHERE at < :moment ORDER BY at, session_id, number LIMIT :limit;

-- name: drop_said
DELETE FROM said WHERE session_id = $1 AND number = $2;

-- name: read_said
SELECT session_id, number, seq, repo, at, body, salt, row_hash
  FROM said WHERE seq = ANY (ARRAY(SELECT jsonb_array_elements_text($1::jsonb)::bigint));

-- name: put_said_place
INSERT INTO said_place (seq, repo, thread, turn, agent, length, asks, question, words)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9);

-- name: add_said_word
INSERT INTO said_word (word, seq, times) VALUES ($1, $2, $3);

-- name: add_said_words
INSERT INTO said_word (word, seq, times)
SELECT word, seq, times FROM unnest($1::text[], $2::bigint[], $3::bigint[]) AS given(word, seq, times);

-- name: drop_said_place
DELETE FROM said_place WHERE seq = $1;

-- name: drop_said_words
DELETE FROM said_word WHERE seq = $1;

-- name: drop_said_vectors
DELETE FROM said_vector WHERE seq = $1;

-- name: drop_all_said_places
DELETE FROM said_place;

-- name: drop_all_said_words
DELETE FROM said_word;

-- name: drop_said_orphans
DELETE FROM said_vector WHERE seq NOT IN (SELECT seq FROM said);

-- name: said_wrong
-- How many turns are derived wrongly: without a place, or a place without a turn.
SELECT (SELECT count(*) FROM said s WHERE NOT EXISTS (
           SELECT 1 FROM said_place p
            WHERE p.seq = s.seq AND p.thread = s.session_id AND p.turn = s.number))
     + (SELECT count(*) FROM said_place WHERE seq NOT IN (SELECT seq FROM said))
     + (SELECT count(*) FROM said_word WHERE seq NOT IN (SELECT seq FROM said))
     + (SELECT count(*) FROM said_vector WHERE seq NOT IN (SELECT seq FROM said));

-- name: said_uses
SELECT w.seq, w.word, w.times, p.words
  FROM said_word w JOIN said_place p ON p.seq = w.seq
 WHERE w.word = ANY (ARRAY(SELECT jsonb_array_elements_text(:words::jsonb))) AND p.repo = :repo;

-- name: said_extent
SELECT count(*), coalesce(sum(words), 0)::bigint FROM said_place WHERE repo = $1;

-- name: said_places
SELECT seq, thread, turn, agent, length, asks, question
  FROM said_place WHERE seq = ANY (ARRAY(SELECT jsonb_array_elements_text($1::jsonb)::bigint));

-- name: said_places_at
SELECT p.seq, p.thread, p.turn, p.agent, p.length, p.asks, p.question
  FROM jsonb_array_elements($1::jsonb) AS wanted(value)
  JOIN said_place p ON p.thread = wanted.value ->> 0 AND p.turn = (wanted.value ->> 1)::bigint;

-- name: said_ends
SELECT thread, max(turn)
  FROM said_place WHERE thread = ANY (ARRAY(SELECT jsonb_array_elements_text($1::jsonb)))
 GROUP BY thread;

-- name: said_gaps
-- How many turns have no vector.
SELECT (SELECT count(*) FROM said_place WHERE :repo::text IS NULL OR repo = :repo)
     - (SELECT count(DISTINCT v.seq) FROM said_vector v JOIN said_place p ON p.seq = v.seq
         WHERE v.model = :model AND (:repo::text IS NULL OR p.repo = :repo));

-- name: lacking_said
SELECT s.session_id, s.number, s.seq, s.repo, s.at, s.body, s.salt, s.row_hash
  FROM (SELECT p.seq FROM said_place p
         WHERE (:repo::text IS NULL OR p.repo = :repo)
           AND NOT EXISTS (SELECT 1 FROM said_vector v WHERE v.model = :model AND v.seq = p.seq)
         ORDER BY p.seq DESC LIMIT :limit) bare
  JOIN said s ON s.seq = bare.seq
 ORDER BY s.seq DESC;

-- name: drop_said_vectors_of
DELETE FROM said_vector
 WHERE model = $1 AND seq = ANY (ARRAY(SELECT jsonb_array_elements_text($2::jsonb)::bigint));

-- name: add_said_vectors
INSERT INTO said_vector (model, seq, part, vector)
SELECT $1, s.seq, (value ->> 1)::bigint, (value ->> 2)::halfvec
  FROM jsonb_array_elements($2::jsonb) AS given(value)
  JOIN said s ON s.seq = (given.value ->> 0)::bigint;

-- name: nearest_said
SELECT v.seq, 1 - min(v.vector::vector <=> :asked::vector) AS cosine
  FROM said_vector v JOIN said_place p ON p.seq = v.seq
 WHERE v.model = :model AND p.repo = :repo
 GROUP BY v.seq ORDER BY 2 DESC, 1 LIMIT :limit;

-- name: said_likeness
SELECT seq, 1 - min(vector::vector <=> :asked::vector) AS cosine
  FROM said_vector
 WHERE model = :model AND seq = ANY (ARRAY(SELECT jsonb_array_elements_text(:sequences::jsonb)::bigint))
 GROUP BY seq;
