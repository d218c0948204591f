-- name: put_task
INSERT INTO task (id, repo, external, created_at, body, salt, row_hash)
VALUES (?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (id) DO UPDATE
   SET repo = excluded.repo, external = excluded.external, created_at = excluded.created_at,
       body = excluded.body, salt = excluded.salt, row_hash = excluded.row_hash;

-- name: get_task
SELECT id, repo, external, created_at, body, salt, row_hash FROM task WHERE id = ?;

-- name: get_tasks
SELECT t.id, t.repo, t.external, t.created_at, t.body, t.salt, t.row_hash
  FROM json_each(?) wanted
  JOIN task t ON t.id = wanted.value
 ORDER BY wanted.key;

-- name: task_of_external
SELECT id FROM task WHERE repo = ? AND external = ?;

-- name: find_tasks
SELECT t.id, t.repo, t.external, t.created_at, t.body, t.salt, t.row_hash
  FROM task_index i
  JOIN task t ON t.id = i.id
 WHERE i.id > :beyond
   AND (:repo IS NULL OR i.repo = :repo)
   AND (:holder IS NULL OR i.holder = :holder)
   AND (:statuses IS NULL OR i.status IN (SELECT value FROM json_each(:statuses)))
   AND (:kinds IS NULL OR i.kind IN (SELECT value FROM json_each(:kinds)))
   AND (:waits IS NULL OR (i.waits_for > 0) = (:waits = 'yes'))
 ORDER BY i.id LIMIT :limit;

-- name: find_children
SELECT t.id, t.repo, t.external, t.created_at, t.body, t.salt, t.row_hash
  FROM task_index i
  JOIN task t ON t.id = i.id
 WHERE i.parent = :parent AND i.id > :beyond
   AND (:repo IS NULL OR i.repo = :repo)
   AND (:holder IS NULL OR i.holder = :holder)
   AND (:statuses IS NULL OR i.status IN (SELECT value FROM json_each(:statuses)))
   AND (:kinds IS NULL OR i.kind IN (SELECT value FROM json_each(:kinds)))
   AND (:waits IS NULL OR (i.waits_for > 0) = (:waits = 'yes'))
 ORDER BY i.id LIMIT :limit;

-- name: drop_task
DELETE FROM task WHERE id = ?;

-- name: drop_task_index
DELETE FROM task_index WHERE id = ?;

-- name: task_index_of
SELECT status, level FROM task_index WHERE id = ?;

-- name: add_task_index
-- The counts are over the tasks that exist; an import may add a task before those it waits for.
INSERT INTO task_index
       (id, repo, status, kind, priority, parent, holder, lease_until, aside, level, waits_for,
        unblocks)
VALUES (:id, :repo, :status, :kind, :priority, :parent, :holder, :lease_until, :aside, :level,
        (SELECT count(*) FROM task_edge e JOIN task_index d ON d.id = e.depends_on
          WHERE e.task = :id AND d.status <> 'done'),
        (SELECT count(*) FROM task_edge e JOIN task_index w ON w.id = e.task
          WHERE e.depends_on = :id AND w.status <> 'done'));

-- name: set_task_index
UPDATE task_index
   SET repo = :repo, status = :status, kind = :kind, priority = :priority, parent = :parent,
       holder = :holder, lease_until = :lease_until, aside = :aside
 WHERE id = :id;

-- name: own_task_edges
-- The edges that a task itself states: what it comes after, and its parent.
SELECT task, depends_on, kind FROM task_edge WHERE task = ?1 AND kind = 'after'
 UNION ALL
SELECT task, depends_on, kind FROM task_edge WHERE depends_on = ?1 AND kind = 'child';

-- name: add_task_edge
INSERT INTO task_edge (task, depends_on, kind) VALUES (?, ?, ?);

-- name: drop_task_edge
DELETE FROM task_edge WHERE task = ? AND depends_on = ? AND kind = ?;

-- name: count_waiting
-- The edge was added (1) or removed (-1); it counts if both ends exist.
UPDATE task_index
   SET waits_for = waits_for + ?3
 WHERE id = ?1
   AND EXISTS (SELECT 1 FROM task_index d WHERE d.id = ?2 AND d.status <> 'done');

-- name: count_unblocked
UPDATE task_index
   SET unblocks = unblocks + ?3
 WHERE id = ?2
   AND EXISTS (SELECT 1 FROM task_index w WHERE w.id = ?1 AND w.status <> 'done');

-- name: turn_waiting
-- A task was done (-1), or is not done any more (1): the tasks that wait for it.
UPDATE task_index
   SET waits_for = waits_for + ?2 * (SELECT count(*) FROM task_edge e
                                         WHERE e.task = task_index.id AND e.depends_on = ?1)
 WHERE id IN (SELECT task FROM task_edge WHERE depends_on = ?1);

-- name: turn_unblocked
UPDATE task_index
   SET unblocks = unblocks + ?2 * (SELECT count(*) FROM task_edge e
                                       WHERE e.depends_on = task_index.id AND e.task = ?1)
 WHERE id IN (SELECT depends_on FROM task_edge WHERE task = ?1);

-- name: task_levels
SELECT i.id, i.level FROM json_each(?) wanted JOIN task_index i ON i.id = wanted.value;

-- name: set_task_level
UPDATE task_index SET level = ? WHERE id = ?;

-- name: set_task_counts
UPDATE task_index SET waits_for = ?, unblocks = ? WHERE id = ?;

-- name: task_dependents
-- CROSS JOIN keeps the order of the tables, so the index of the edges gives the order of the ids. A
-- pair that is an edge of both kinds comes twice.
SELECT e.depends_on, e.task, i.level
  FROM json_each(?) wanted
 CROSS JOIN task_edge e ON e.depends_on = wanted.value
 CROSS JOIN task_index i ON i.id = e.task;

-- name: task_dependencies
SELECT e.task, e.depends_on, i.level
  FROM json_each(?) wanted
 CROSS JOIN task_edge e ON e.task = wanted.value
 CROSS JOIN task_index i ON i.id = e.depends_on;

-- name: task_dependents_onward
-- The edges of a task and of up to so many others, as long as exactly one task follows the last. A
-- new edge that closes a cycle is in the table already, so only the number of steps ends the line.
WITH RECURSIVE line (id, step) AS (
    VALUES (?1, 0)
     UNION ALL
    SELECT (SELECT CASE count(*) WHEN 1 THEN max(task) END
              FROM (SELECT e.task FROM task_edge e WHERE e.depends_on = line.id LIMIT 2)), step + 1
      FROM line
     WHERE id IS NOT NULL AND step < ?2
)
SELECT e.depends_on, e.task, i.level
  FROM line
 CROSS JOIN task_edge e ON e.depends_on = line.id
 CROSS JOIN task_index i ON i.id = e.task;

-- name: task_dependencies_onward
WITH RECURSIVE line (id, step) AS (
    VALUES (?1, 0)
     UNION ALL
    SELECT (SELECT CASE count(*) WHEN 1 THEN max(depends_on) END
              FROM (SELECT e.depends_on FROM task_edge e WHERE e.task = line.id LIMIT 2)), step + 1
      FROM line
     WHERE id IS NOT NULL AND step < ?2
)
SELECT e.task, e.depends_on, i.level
  FROM line
 CROSS JOIN task_edge e ON e.task = line.id
 CROSS JOIN task_index i ON i.id = e.depends_on;

-- name: task_unmet
SELECT e.task, e.depends_on, i.level
  FROM json_each(?) wanted
 CROSS JOIN task_edge e ON e.task = wanted.value
 CROSS JOIN task_index i ON i.id = e.depends_on AND i.status <> 'done';

-- name: tasks_ready
SELECT id, priority, unblocks FROM task_index
 WHERE repo = :repo AND status = 'open' AND waits_for = 0
   AND (aside = '' OR aside NOT IN (SELECT value FROM json_each(:unseen)))
 ORDER BY priority, unblocks DESC, id LIMIT :limit;

-- name: tasks_given_up
-- Tasks whose lease has ended: they can be taken over.
SELECT id, priority, unblocks FROM task_index
 WHERE repo = :repo AND status = 'started' AND waits_for = 0
   AND (lease_until <= :now OR holder IS NULL)
   AND (aside = '' OR aside NOT IN (SELECT value FROM json_each(:unseen)))
 ORDER BY priority, unblocks DESC, id LIMIT :limit;

-- name: tasks_started
SELECT id FROM task_index
 WHERE repo = :repo AND status = 'started'
   AND (waits_for > 0 OR lease_until > :now OR (lease_until IS NULL AND holder IS NOT NULL))
 ORDER BY id LIMIT :limit;

-- name: tasks_blocked
SELECT id FROM task_index
 WHERE repo = :repo AND status = 'blocked' ORDER BY waits_for, aside, id LIMIT :limit;

-- name: tasks_waiting
-- In the order of the index: those that wait for the fewest first.
SELECT id FROM task_index
 WHERE repo = :repo AND status = 'open' AND waits_for > 0
 ORDER BY waits_for, aside, id LIMIT :limit;

-- name: tasks_elsewhere
SELECT id FROM task_index
 WHERE repo = :repo AND aside <> '' AND status <> 'done' AND waits_for = 0
   AND aside IN (SELECT value FROM json_each(:unseen))
 ORDER BY id LIMIT :limit;

-- name: tally_tasks
-- Counts of ranges of an index: a GROUP BY over the whole plan takes five times as long.
WITH s (status) AS (VALUES ('open'), ('started'), ('blocked'), ('done'))
SELECT s.status, 0, '', (SELECT count(*) FROM task_index i
                          WHERE i.repo = ?1 AND i.status = s.status AND i.waits_for = 0
                            AND i.aside = '')
  FROM s
 UNION ALL
SELECT s.status, 1, '', (SELECT count(*) FROM task_index i
                          WHERE i.repo = ?1 AND i.status = s.status AND i.waits_for > 0
                            AND i.aside = '')
  FROM s
 UNION ALL
SELECT status, CASE WHEN waits_for > 0 THEN 1 ELSE 0 END, aside, count(*)
  FROM task_index WHERE repo = ?1 AND aside <> ''
 GROUP BY 1, 2, 3;

-- name: tasks_aside
SELECT DISTINCT aside FROM task_index WHERE repo = ? AND aside <> '' ORDER BY aside;

-- name: drop_all_task_edges
DELETE FROM task_edge;

-- name: drop_all_task_index
DELETE FROM task_index;

-- name: all_task_edges
SELECT task, depends_on, kind FROM task_edge ORDER BY task, depends_on, kind;

-- name: all_task_index
SELECT id, repo, status, kind, priority, parent, holder, lease_until, aside, level, waits_for,
       unblocks
  FROM task_index ORDER BY id;
