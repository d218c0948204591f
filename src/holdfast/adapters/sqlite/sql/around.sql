-- name: add_tag
INSERT INTO memory_tag (tag, seq) VALUES (?, ?) ON CONFLICT DO NOTHING;

-- name: drop_tags
DELETE FROM memory_tag WHERE tag IN (SELECT value FROM json_each(?1)) AND seq = ?2;

-- name: drop_all_tags
DELETE FROM memory_tag;

-- name: add_turn_place
INSERT INTO memory_turn (seq, thread, turn) VALUES (?, ?, ?);

-- name: drop_turn_place
DELETE FROM memory_turn WHERE seq = ?;

-- name: drop_all_turn_places
DELETE FROM memory_turn;

-- name: add_name
INSERT INTO memory_name (name, seq) VALUES (?, ?);

-- name: drop_names
DELETE FROM memory_name WHERE name IN (SELECT value FROM json_each(?1)) AND seq = ?2;

-- name: drop_all_names
DELETE FROM memory_name;

-- name: turn_places
SELECT t.seq, t.thread, t.turn, m.origin,
       length(m.value), m.value GLOB '*[?？؟]*', rtrim(m.value) GLOB '*[?？؟]'
  FROM json_each(?) wanted
 CROSS JOIN memory_turn t ON t.seq = wanted.value
 CROSS JOIN memory m ON m.seq = t.seq
 ORDER BY t.seq;

-- name: turns_beside
SELECT DISTINCT t.seq, t.thread, t.turn, m.origin,
       length(m.value), m.value GLOB '*[?？؟]*', rtrim(m.value) GLOB '*[?？؟]'
  FROM json_each(:among) among
 CROSS JOIN memory_turn place ON place.seq = among.value
 CROSS JOIN memory_turn t INDEXED BY turn_thread
    ON t.thread = place.thread
   AND t.turn BETWEEN place.turn - :reach AND place.turn + :reach
 CROSS JOIN memory m ON m.seq = t.seq
 CROSS JOIN memory_standing s ON s.seq = m.seq
 WHERE t.seq NOT IN (SELECT value FROM json_each(:among)) AND
-- include: takes
 ORDER BY t.seq;

-- name: closing_turns
-- The window is always small: a thread that continues after turn :shorter gives no rows.
WITH short(thread) AS (
    SELECT wanted.value
      FROM json_each(:threads) wanted
     WHERE NOT EXISTS (SELECT 1 FROM memory_turn t INDEXED BY turn_thread
                        WHERE t.thread = wanted.value AND t.turn >= :shorter)
), ranked AS (
    SELECT t.seq, t.thread, t.turn, m.origin, m.value,
           row_number() OVER (PARTITION BY t.thread ORDER BY t.turn DESC, t.seq DESC) AS place
      FROM short
     CROSS JOIN memory_turn t INDEXED BY turn_thread ON t.thread = short.thread
     CROSS JOIN memory m ON m.seq = t.seq
     CROSS JOIN memory_standing s ON s.seq = m.seq
     WHERE
-- include: takes
)
SELECT seq, thread, turn, origin,
       length(value), value GLOB '*[?？؟]*', rtrim(value) GLOB '*[?？؟]'
  FROM ranked WHERE place <= :last ORDER BY seq;

-- name: bearers
SELECT n.name, n.seq
  FROM json_each(:names) wanted
 CROSS JOIN memory_name n ON n.name = wanted.value
 CROSS JOIN memory m ON m.seq = n.seq
 CROSS JOIN memory_standing s ON s.seq = m.seq
 WHERE
-- include: takes
 ORDER BY n.name, n.seq;

-- name: all_names
SELECT name, seq FROM memory_name ORDER BY name, seq;

-- name: turn_place_of
SELECT thread, turn FROM memory_turn WHERE seq = ?;

-- name: tags_among
SELECT t.tag FROM json_each(?1) wanted JOIN memory_tag t ON t.tag = wanted.value AND t.seq = ?2;

-- name: names_among
SELECT n.name FROM json_each(?1) wanted JOIN memory_name n ON n.name = wanted.value AND n.seq = ?2;

-- name: count_tags
SELECT count(*) FROM memory_tag;

-- name: count_names
SELECT count(*) FROM memory_name;

-- name: count_turn_places
SELECT count(*) FROM memory_turn;
