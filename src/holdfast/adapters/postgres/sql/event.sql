-- name: last_event
SELECT sequence, at, action, subject, digest, previous, hash
  FROM event ORDER BY sequence DESC LIMIT 1;

-- name: event_hash
SELECT hash FROM event WHERE sequence = $1;

-- name: add_event
INSERT INTO event (sequence, at, action, subject, digest, previous, hash)
VALUES ($1, $2, $3, $4, $5, $6, $7);

-- name: events_since
SELECT sequence, at, action, subject, digest, previous, hash
  FROM event WHERE sequence > $1 ORDER BY sequence LIMIT $2;

-- name: events_about
SELECT sequence, at, action, subject, digest, previous, hash
  FROM event WHERE md5(subject) = md5($1::text) AND subject = $1 ORDER BY sequence;
