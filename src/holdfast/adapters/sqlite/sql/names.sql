-- name: names_starting
SELECT id FROM memory WHERE id >= :prefix AND id < :end
 UNION
SELECT memory_id FROM tombstone WHERE memory_id >= :prefix AND memory_id < :end
 UNION
SELECT id FROM session WHERE id >= :prefix AND id < :end
 UNION
SELECT id FROM bundle WHERE id >= :prefix AND id < :end
 UNION
SELECT id FROM span WHERE id >= :prefix AND id < :end
 UNION
SELECT id FROM run WHERE id >= :prefix AND id < :end
 UNION
SELECT id FROM decision WHERE id >= :prefix AND id < :end
 UNION
SELECT id FROM workspace WHERE id >= :prefix AND id < :end
 UNION
SELECT id FROM workspace_snapshot WHERE id >= :prefix AND id < :end
 UNION
SELECT id FROM task WHERE id >= :prefix AND id < :end
 UNION
SELECT id FROM agent WHERE id >= :prefix AND id < :end
 ORDER BY 1 LIMIT :limit;

-- name: names_ending
SELECT id FROM memory WHERE id >= :prefix AND id < :end
   AND substr(id, -length(:letters)) = :letters
 UNION
SELECT memory_id FROM tombstone WHERE memory_id >= :prefix AND memory_id < :end
   AND substr(memory_id, -length(:letters)) = :letters
 UNION
SELECT id FROM session WHERE id >= :prefix AND id < :end
   AND substr(id, -length(:letters)) = :letters
 UNION
SELECT id FROM bundle WHERE id >= :prefix AND id < :end
   AND substr(id, -length(:letters)) = :letters
 UNION
SELECT id FROM span WHERE id >= :prefix AND id < :end
   AND substr(id, -length(:letters)) = :letters
 UNION
SELECT id FROM run WHERE id >= :prefix AND id < :end
   AND substr(id, -length(:letters)) = :letters
 UNION
SELECT id FROM decision WHERE id >= :prefix AND id < :end
   AND substr(id, -length(:letters)) = :letters
 UNION
SELECT id FROM workspace WHERE id >= :prefix AND id < :end
   AND substr(id, -length(:letters)) = :letters
 UNION
SELECT id FROM workspace_snapshot WHERE id >= :prefix AND id < :end
   AND substr(id, -length(:letters)) = :letters
 UNION
SELECT id FROM task WHERE id >= :prefix AND id < :end
   AND substr(id, -length(:letters)) = :letters
 UNION
SELECT id FROM agent WHERE id >= :prefix AND id < :end
   AND substr(id, -length(:letters)) = :letters
 ORDER BY 1 LIMIT :limit;

-- name: tombstone
SELECT memory_id, forgotten_at, forgotten_by, reason, salt, row_hash
  FROM tombstone WHERE memory_id = ?;

-- name: tombstones
SELECT memory_id, forgotten_at, forgotten_by, reason, salt, row_hash
  FROM tombstone WHERE memory_id > ? ORDER BY memory_id LIMIT ?;

-- name: add_tombstone
INSERT INTO tombstone (memory_id, forgotten_at, forgotten_by, reason, salt, row_hash)
VALUES (?, ?, ?, ?, ?, ?);

-- name: put_tombstone
INSERT INTO tombstone (memory_id, forgotten_at, forgotten_by, reason, salt, row_hash)
VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (memory_id) DO UPDATE
   SET forgotten_at = excluded.forgotten_at, forgotten_by = excluded.forgotten_by,
       reason = excluded.reason, salt = excluded.salt, row_hash = excluded.row_hash;
