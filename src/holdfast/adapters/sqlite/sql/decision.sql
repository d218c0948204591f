-- name: put_decision
INSERT INTO decision (id, at, body, salt, row_hash) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (id) DO UPDATE
   SET at = excluded.at, body = excluded.body, salt = excluded.salt,
       row_hash = excluded.row_hash;

-- name: get_decision
SELECT id, at, body, salt, row_hash FROM decision WHERE id = ?;

-- name: decisions_about
-- The body contains a memory's id in quotes, and no other text has that form.
SELECT id, at, body, salt, row_hash
  FROM decision WHERE instr(body, '"' || ? || '"') ORDER BY rowid DESC;

-- name: decisions_before
-- In the order they were written: ids of the same millisecond have no order.
SELECT id, at, body, salt, row_hash
  FROM decision
 WHERE :beyond IS NULL OR rowid < (SELECT rowid FROM decision WHERE id = :beyond)
 ORDER BY rowid DESC LIMIT :limit;
