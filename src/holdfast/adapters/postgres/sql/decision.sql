-- name: put_decision
INSERT INTO decision (id, at, body, salt, row_hash) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (tenant_id, store_id, id) DO UPDATE
   SET at = excluded.at, body = excluded.body, salt = excluded.salt,
       row_hash = excluded.row_hash;

-- name: get_decision
SELECT id, at, body, salt, row_hash FROM decision WHERE id = $1;

-- name: decisions_about
-- The body contains a memory's id in quotes, and no other text has that form.
SELECT id, at, body, salt, row_hash
  FROM decision WHERE strpos(body, '"' || $1 || '"') > 0 ORDER BY place DESC;

-- name: decisions_before
-- In the order they were written: ids of the same millisecond have no order.
SELECT id, at, body, salt, row_hash
  FROM decision
 WHERE :beyond::text IS NULL OR place < (SELECT place FROM decision WHERE id = :beyond)
 ORDER BY place DESC LIMIT :limit;
