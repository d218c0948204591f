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
 JOIN memory_turn t ON t.seq = wanted.value::bigint
 JOIN memory m ON m.seq = t.seq
 ORDER BY t.seq;

-- name: turns_beside
SELECT DISTINCT t.seq, t.thread, t.turn, m.origin,
       length(m.value), m.value ~ '[?？؟]', rtrim(m.value) ~ '[?？؟]$'
  FROM jsonb_array_elements_text(:among::jsonb) AS among(value)
 JOIN memory_turn place ON place.seq = among.value::bigint
 JOIN memory_turn t
    ON md5(t.thread) = md5(place.thread) AND t.thread = place.thread
   AND t.turn BETWEEN place.turn - :reach AND place.turn + :reach
 JOIN memory m ON m.seq = t.seq
 JOIN memory_standing s ON s.seq = m.seq
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
     JOIN memory_turn t ON md5(t.thread) = md5(short.thread) AND t.thread = short.thread
     JOIN memory m ON m.seq = t.seq
     JOIN memory_standing s ON s.seq = m.seq
     WHERE
-- include: takes
)
SELECT seq, thread, turn, origin,
       length(value), value ~ '[?？؟]', rtrim(value) ~ '[?？؟]$'
  FROM ranked WHERE place <= :last ORDER BY seq;

-- name: bearers
SELECT n.name, n.seq
  FROM jsonb_array_elements_text(:names::jsonb) AS wanted(value)
 JOIN memory_name n ON n.name = wanted.value
 JOIN memory m ON m.seq = n.seq
 JOIN memory_standing s ON s.seq = m.seq
 WHERE
-- include: takes
 ORDER BY n.name, n.seq;

-- name: all_names
SELECT name, seq FROM memory_name ORDER BY name, seq;

-- name: turn_place_of
SELECT thread, turn FROM memory_turn WHERE seq = $1;

-- name: tags_among
SELECT t.tag FROM jsonb_array_elements_text($1::jsonb) AS wanted(value)
   JOIN memory_tag t ON t.tag = wanted.value AND t.seq = $2;

-- name: names_among
SELECT n.name FROM jsonb_array_elements_text($1::jsonb) AS wanted(value)
   JOIN memory_name n ON n.name = wanted.value AND n.seq = $2;

-- name: count_tags
SELECT count(*) FROM memory_tag;

-- name: count_names
SELECT count(*) FROM memory_name;

-- name: count_turn_places
SELECT count(*) FROM memory_turn;
