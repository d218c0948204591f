-- name: last_event
SELECT sequence, at, action, subject, digest, previous, hash
  FROM event ORDER BY sequence DESC LIMIT 1;

-- name: event_hash
SELECT hash FROM event WHERE sequence = $1;

-- name: add_events
INSERT INTO event (sequence, at, action, subject, digest, previous, hash)
SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::bytea[],
                     $6::bytea[], $7::bytea[]);

-- name: events_since
SELECT sequence, at, action, subject, digest, previous, hash
  FROM event WHERE sequence > $1 ORDER BY sequence LIMIT $2;

-- name: events_about
SELECT sequence, at, action, subject, digest, previous, hash
  FROM event WHERE md5(subject) = md5($1::text) AND subject = $1 ORDER BY sequence;
