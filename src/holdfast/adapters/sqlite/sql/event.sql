-- name: last_event
SELECT sequence, at, action, subject, digest, previous, hash
  FROM event ORDER BY sequence DESC LIMIT 1;

-- name: event_hash
SELECT hash FROM event WHERE sequence = ?;

-- name: add_event
INSERT INTO event (sequence, at, action, subject, digest, previous, hash)
VALUES (?, ?, ?, ?, ?, ?, ?);

-- name: events_since
SELECT sequence, at, action, subject, digest, previous, hash
  FROM event WHERE sequence > ? ORDER BY sequence LIMIT ?;

-- name: events_about
SELECT sequence, at, action, subject, digest, previous, hash
  FROM event WHERE subject = ? ORDER BY sequence;
