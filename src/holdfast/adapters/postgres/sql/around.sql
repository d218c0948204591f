-- name: add_tags
INSERT INTO memory_tag (tag, seq)
SELECT tag, seq FROM unnest($1::text[], $2::bigint[]) AS given(tag, seq)
ON CONFLICT DO NOTHING;

-- name: drop_tags
DELETE FROM memory_tag WHERE tag IN (SELECT jsonb_array_elements_text($1::jsonb)) AND seq = $2;

-- name: drop_all_tags
DELETE FROM memory_tag;

-- name: add_turn_place
INSERT INTO memory_turn (seq, thread, turn) VALUES ($1, $2, $3);

-- name: drop_turn_place
DELETE FROM memory_turn WHERE seq = $1;

-- name: drop_all_turn_places
DELETE FROM memory_turn;

-- name: add_names
INSERT INTO memory_name (name, seq)
SELECT name, seq FROM unnest($1::text[], $2::bigint[]) AS given(name, seq);

-- name: drop_names
DELETE FROM memory_name WHERE name IN (SELECT jsonb_array_elements_text($1::jsonb)) AND seq = $2;

-- name: drop_all_names
DELETE FROM memory_name;

-- name: turn_places
SELECT t.seq, t.thread, t.turn, m.origin,
       length(m.value), m.value ~ '[?？؟]', rtrim(m.value) ~ '[?？؟]$'
  FROM jsonb_array_elements_text($1::jsonb) AS wanted(value)
 CROSS JOIN LATERAL (
       SELECT * FROM memory_turn o WHERE o.seq BETWEEN wanted.value::bigint AND wanted.value::bigint
        ORDER BY o.seq) t
 CROSS JOIN LATERAL (SELECT * FROM memory o WHERE o.seq BETWEEN t.seq AND t.seq ORDER BY o.seq) m
 ORDER BY t.seq;

-- name: turns_beside
SELECT DISTINCT t.seq, t.thread, t.turn, m.origin,
       length(m.value), m.value ~ '[?？؟]', rtrim(m.value) ~ '[?？؟]$'
  FROM jsonb_array_elements_text(:among::jsonb) AS among(value)
 CROSS JOIN LATERAL (
       SELECT * FROM memory_turn o WHERE o.seq BETWEEN among.value::bigint AND among.value::bigint
        ORDER BY o.seq) place
 CROSS JOIN LATERAL (
       SELECT * FROM memory_turn o
        WHERE md5(o.thread) = md5(place.thread) AND o.thread = place.thread
          AND o.turn BETWEEN place.turn - :reach AND place.turn + :reach ORDER BY o.turn) t
 CROSS JOIN LATERAL (SELECT * FROM memory o WHERE o.seq BETWEEN t.seq AND t.seq ORDER BY o.seq) m
-- include: standing_of_m
 WHERE t.seq <> ALL (ARRAY(SELECT jsonb_array_elements_text(:among::jsonb)::bigint)) AND
-- include: takes
 ORDER BY t.seq;

-- name: closing_turns
-- The window is always small: a thread that continues after turn :shorter gives no rows.
WITH short(thread) AS (
    SELECT wanted.value
      FROM jsonb_array_elements_text(:threads::jsonb) AS wanted(value)
     WHERE NOT EXISTS (SELECT 1 FROM memory_turn t WHERE md5(t.thread) = md5(wanted.value)
        AND t.thread = wanted.value
                          AND t.turn >= :shorter)
), ranked AS (
    SELECT t.seq, t.thread, t.turn, m.origin, m.value,
           row_number() OVER (PARTITION BY t.thread ORDER BY t.turn DESC, t.seq DESC) AS place
      FROM short
     CROSS JOIN LATERAL (
           SELECT * FROM memory_turn o
            WHERE md5(o.thread) = md5(short.thread) AND o.thread = short.thread
            ORDER BY o.turn) t
     CROSS JOIN LATERAL (
           SELECT * FROM memory o WHERE o.seq BETWEEN t.seq AND t.seq
            ORDER BY o.seq) m
-- include: standing_of_m
     WHERE
-- include: takes
)
SELECT seq, thread, turn, origin,
       length(value), value ~ '[?？؟]', rtrim(value) ~ '[?？؟]$'
  FROM ranked WHERE place <= :last ORDER BY seq;

-- name: bearers
SELECT n.name, n.seq
  FROM jsonb_array_elements_text(:names::jsonb) AS wanted(value)
 CROSS JOIN LATERAL (SELECT * FROM memory_name o WHERE o.name = wanted.value OFFSET 0) n
 CROSS JOIN LATERAL (SELECT * FROM memory o WHERE o.seq BETWEEN n.seq AND n.seq ORDER BY o.seq) m
-- include: standing_of_m
 WHERE
-- include: takes
 ORDER BY n.name, n.seq;

-- name: all_names
SELECT name, seq FROM memory_name ORDER BY name, seq;

-- name: turn_place_of
SELECT thread, turn FROM memory_turn WHERE seq = $1;

-- name: tags_among
SELECT t.tag FROM jsonb_array_elements_text($1::jsonb) AS wanted(value)
  CROSS JOIN LATERAL (
        SELECT * FROM memory_tag o WHERE o.tag = wanted.value AND o.seq = $2 OFFSET 0) t;

-- name: names_among
SELECT n.name FROM jsonb_array_elements_text($1::jsonb) AS wanted(value)
  CROSS JOIN LATERAL (
        SELECT * FROM memory_name o WHERE o.name = wanted.value AND o.seq = $2 OFFSET 0) n;

-- name: count_tags
SELECT count(*) FROM memory_tag;

-- name: count_names
SELECT count(*) FROM memory_name;

-- name: count_turn_places
SELECT count(*) FROM memory_turn;
