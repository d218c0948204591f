-- name: put_said
INSERT INTO said (session_id, number, seq, repo, at, body, salt, row_hash)
VALUES (?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (session_id, number) DO UPDATE
   SET seq = excluded.seq, repo = excluded.repo, at = excluded.at, body = excluded.body,
       salt = excluded.salt, row_hash = excluded.row_hash;

-- name: get_said
SELECT session_id, number, seq, repo, at, body, salt, row_hash
  FROM said WHERE session_id = ? AND number = ?;

-- name: said_sequences_from
-- The sequences that are taken from one on, to find the next free one.
SELECT seq FROM said WHERE seq >= ? ORDER BY seq LIMIT 100;

-- name: said_of
SELECT session_id, number, seq, repo, at, body, salt, row_hash
  FROM said WHERE session_id = ? ORDER BY number;

-- name: said_after
SELECT session_id, number, seq, repo, at, body, salt, row_hash
  FROM said WHERE (session_id, number) > (:session, :number)
 ORDER BY session_id, number LIMIT :limit;

-- name: said_before
SELECT session_id, number, seq, repo, at, body, salt, row_hash
  FROM said WHERE at < :moment ORDER BY at, session_id, number LIMIT :limit;

-- name: drop_said
DELETE FROM said WHERE session_id = ? AND number = ?;

-- name: read_said
SELECT s.session_id, s.number, s.seq, s.repo, s.at, s.body, s.salt, s.row_hash
  FROM json_each(?) wanted CROSS JOIN said s ON s.seq = wanted.value;

-- name: put_said_place
INSERT INTO said_place (seq, repo, thread, turn, agent, length, asks, question, words)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?);

-- name: add_said_word
INSERT INTO said_word (word, seq, times) VALUES (?, ?, ?);

-- name: drop_said_place
DELETE FROM said_place WHERE seq = ?;

-- name: drop_said_words
DELETE FROM said_word WHERE seq = ?;

-- name: drop_said_vectors
DELETE FROM said_vector WHERE seq = ?;

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
  FROM json_each(:words) wanted
 CROSS JOIN said_word w ON w.word = wanted.value
 CROSS JOIN said_place p ON p.seq = w.seq
 WHERE p.repo = :repo;

-- name: said_extent
SELECT count(*), coalesce(sum(words), 0) FROM said_place WHERE repo = ?;

-- name: said_places
SELECT p.seq, p.thread, p.turn, p.agent, p.length, p.asks, p.question
  FROM json_each(?) wanted CROSS JOIN said_place p ON p.seq = wanted.value;

-- name: said_places_at
SELECT p.seq, p.thread, p.turn, p.agent, p.length, p.asks, p.question
  FROM json_each(?) wanted
 CROSS JOIN said_place p ON p.thread = json_extract(wanted.value, '$[0]')
                        AND p.turn = json_extract(wanted.value, '$[1]');

-- name: said_ends
SELECT p.thread, max(p.turn)
  FROM json_each(?) wanted CROSS JOIN said_place p ON p.thread = wanted.value
 GROUP BY p.thread;

-- name: said_gaps
-- How many turns have no vector; the narrow index counts without reading any vector.
SELECT (SELECT count(*) FROM said_place WHERE :repo IS NULL OR repo = :repo)
     - (SELECT count(*) FROM said_vector INDEXED BY said_vector_of
         WHERE model = :model AND (:repo IS NULL OR repo = :repo));

-- name: lacking_said
SELECT s.session_id, s.number, s.seq, s.repo, s.at, s.body, s.salt, s.row_hash
  FROM (SELECT p.seq FROM said_place p
         WHERE (:repo IS NULL OR p.repo = :repo)
           AND NOT EXISTS (SELECT 1 FROM said_vector v
                            WHERE v.model = :model AND v.repo = p.repo AND v.seq = p.seq)
         ORDER BY p.seq DESC LIMIT :limit) bare
  JOIN said s ON s.seq = bare.seq
 ORDER BY s.seq DESC;

-- name: put_said_vectors
INSERT INTO said_vector (model, repo, seq, vectors)
SELECT :model, repo, seq, :vectors FROM said WHERE seq = :seq
ON CONFLICT (model, repo, seq) DO UPDATE SET vectors = excluded.vectors;

-- name: said_vectors_in
SELECT seq, vectors FROM said_vector WHERE model = :model AND repo = :repo;

-- name: said_vectors_of
SELECT v.seq, v.vectors
  FROM json_each(:sequences) wanted
 CROSS JOIN said_vector v INDEXED BY said_vector_of
    ON v.seq = wanted.value AND v.model = :model;
