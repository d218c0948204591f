-- name: put_task
INSERT INTO task (id, repo, external, created_at, body, salt, row_hash)
VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT (tenant_id, store_id, id) DO UPDATE
   SET repo = excluded.repo, external = excluded.external, created_at = excluded.created_at,
       body = excluded.body, salt = excluded.salt, row_hash = excluded.row_hash;

-- name: get_task
SELECT id, repo, external, created_at, body, salt, row_hash FROM task WHERE id = $1;

-- name: get_tasks
SELECT t.id, t.repo, t.external, t.created_at, t.body, t.salt, t.row_hash
  FROM jsonb_array_elements_text($1::jsonb) WITH ORDINALITY AS wanted(value, key)
 CROSS JOIN LATERAL (SELECT * FROM task o WHERE o.id = wanted.value OFFSET 0) t
 ORDER BY wanted.key;

-- name: task_of_external
SELECT id FROM task WHERE repo = $1 AND external = $2;

-- name: find_tasks
SELECT t.id, t.repo, t.external, t.created_at, t.body, t.salt, t.row_hash
  FROM task_index i
 CROSS JOIN LATERAL (SELECT * FROM task o WHERE o.id = i.id OFFSET 0) t
 WHERE i.id > :beyond
   AND (:repo::text IS NULL OR i.repo = :repo)
   AND (:holder::text IS NULL OR i.holder = :holder)
   AND (:statuses::text IS NULL OR i.status IN (
       SELECT value FROM jsonb_array_elements_text(:statuses::jsonb) AS s(value)))
   AND (:kinds::text IS NULL OR i.kind IN (
       SELECT value FROM jsonb_array_elements_text(:kinds::jsonb) AS k(value)))
   AND (:waits::text IS NULL OR (i.waits_for > 0) = (:waits = 'yes'))
 ORDER BY i.id LIMIT :limit;

-- name: find_children
SELECT t.id, t.repo, t.external, t.created_at, t.body, t.salt, t.row_hash
  FROM task_index i
 CROSS JOIN LATERAL (SELECT * FROM task o WHERE o.id = i.id OFFSET 0) t
 WHERE i.parent = :parent AND i.id > :beyond
   AND (:repo::text IS NULL OR i.repo = :repo)
   AND (:holder::text IS NULL OR i.holder = :holder)
   AND (:statuses::text IS NULL OR i.status IN (
       SELECT value FROM jsonb_array_elements_text(:statuses::jsonb) AS s(value)))
   AND (:kinds::text IS NULL OR i.kind IN (
       SELECT value FROM jsonb_array_elements_text(:kinds::jsonb) AS k(value)))
   AND (:waits::text IS NULL OR (i.waits_for > 0) = (:waits = 'yes'))
 ORDER BY i.parent, i.id LIMIT :limit;

-- name: drop_task
DELETE FROM task WHERE id = $1;

-- name: drop_task_index
DELETE FROM task_index WHERE id = $1;

-- name: task_index_of
SELECT status, level FROM task_index WHERE id = $1;

-- name: add_task_index
-- The counts are over the tasks that exist; an import may add a task before those it waits for.
INSERT INTO task_index
       (id, repo, status, kind, priority, parent, holder, lease_until, aside, level, waits_for,
        unblocks)
VALUES (:id, :repo, :status, :kind, :priority, :parent, :holder, :lease_until, :aside, :level,
        (SELECT count(*)
           FROM (SELECT * FROM task_edge o WHERE o.task BETWEEN :id AND :id ORDER BY o.task) e
          CROSS JOIN LATERAL (SELECT * FROM task_index o WHERE o.id = e.depends_on OFFSET 0) d
          WHERE d.status <> 'done'),
        (SELECT count(*)
           FROM (SELECT * FROM task_edge o WHERE o.depends_on BETWEEN :id AND :id
                  ORDER BY o.depends_on) e
          CROSS JOIN LATERAL (SELECT * FROM task_index o WHERE o.id = e.task OFFSET 0) w
          WHERE w.status <> 'done'));

-- name: set_task_index
UPDATE task_index
   SET repo = :repo, status = :status, kind = :kind, priority = :priority, parent = :parent,
       holder = :holder, lease_until = :lease_until, aside = :aside
 WHERE id = :id;

-- name: own_task_edges
-- The edges that a task itself states: what it comes after, and its parent.
(SELECT task, depends_on, kind FROM task_edge
  WHERE task BETWEEN $1 AND $1 AND kind = 'after' ORDER BY task)
 UNION ALL
(SELECT task, depends_on, kind FROM task_edge
  WHERE depends_on BETWEEN $1 AND $1 AND kind = 'child' ORDER BY depends_on);

-- name: add_task_edge
INSERT INTO task_edge (task, depends_on, kind) VALUES ($1, $2, $3);

-- name: drop_task_edge
DELETE FROM task_edge WHERE task = $1 AND depends_on = $2 AND kind = $3;

-- name: count_waiting
-- The edge was added (1) or removed (-1); it counts if both ends exist.
UPDATE task_index
   SET waits_for = waits_for + $3::integer
 WHERE id = $1
   AND EXISTS (SELECT 1 FROM task_index d WHERE d.id = $2 AND d.status <> 'done');

-- name: count_unblocked
UPDATE task_index
   SET unblocks = unblocks + $3::integer
 WHERE id = $2
   AND EXISTS (SELECT 1 FROM task_index w WHERE w.id = $1 AND w.status <> 'done');

-- name: turn_waiting
-- A task was done (-1), or is not done any more (1): the tasks that wait for it. Their rows are
-- joined by place: before the first ANALYZE, a join by id reads all tasks.
UPDATE task_index
   SET waits_for = waits_for + $2::integer * (SELECT count(*) FROM task_edge e
                                         WHERE e.task = task_index.id AND e.depends_on = $1)
  FROM (SELECT i.ctid AS place
          FROM (SELECT o.task FROM task_edge o WHERE o.depends_on BETWEEN $1 AND $1
                 ORDER BY o.depends_on) e
         CROSS JOIN LATERAL (SELECT o.ctid FROM task_index o WHERE o.id = e.task OFFSET 0) i) w
 WHERE task_index.ctid = w.place;

-- name: turn_unblocked
UPDATE task_index
   SET unblocks = unblocks + $2::integer * (SELECT count(*) FROM task_edge e
                                       WHERE e.depends_on = task_index.id AND e.task = $1)
  FROM (SELECT i.ctid AS place
          FROM (SELECT o.depends_on FROM task_edge o WHERE o.task BETWEEN $1 AND $1
                 ORDER BY o.task) e
         CROSS JOIN LATERAL (
               SELECT o.ctid FROM task_index o WHERE o.id = e.depends_on OFFSET 0) i) w
 WHERE task_index.ctid = w.place;

-- name: task_levels
SELECT i.id, i.level
  FROM jsonb_array_elements_text($1::jsonb) WITH ORDINALITY AS wanted(value, key)
 CROSS JOIN LATERAL (SELECT * FROM task_index o WHERE o.id = wanted.value OFFSET 0) i;

-- name: set_task_level
UPDATE task_index SET level = $1 WHERE id = $2;

-- name: set_task_counts
UPDATE task_index SET waits_for = $1, unblocks = $2 WHERE id = $3;

-- name: task_dependents
SELECT DISTINCT e.depends_on, e.task, i.level
  FROM jsonb_array_elements_text($1::jsonb) WITH ORDINALITY AS wanted(value, key)
 CROSS JOIN LATERAL (
       SELECT * FROM task_edge o WHERE o.depends_on BETWEEN wanted.value AND wanted.value
        ORDER BY o.depends_on) e
 CROSS JOIN LATERAL (SELECT * FROM task_index o WHERE o.id = e.task OFFSET 0) i
 ORDER BY 1, 2;

-- name: task_dependencies
SELECT DISTINCT e.task, e.depends_on, i.level
  FROM jsonb_array_elements_text($1::jsonb) WITH ORDINALITY AS wanted(value, key)
 CROSS JOIN LATERAL (
       SELECT * FROM task_edge o WHERE o.task BETWEEN wanted.value AND wanted.value
        ORDER BY o.task) e
 CROSS JOIN LATERAL (SELECT * FROM task_index o WHERE o.id = e.depends_on OFFSET 0) i
 ORDER BY 1, 2;

-- name: task_dependents_onward
-- The edges of a task and of up to so many others, as long as exactly one task follows the last. The
-- inner ORDER BY lets each step read the index; without it a line takes seven times as long.
WITH RECURSIVE line (id, step) AS (
    VALUES ($1::text COLLATE "C", 0)
     UNION ALL
    SELECT (SELECT CASE count(*) WHEN 1 THEN max(e.task) END
              FROM (SELECT o.task FROM task_edge o WHERE o.depends_on BETWEEN line.id AND line.id
                     ORDER BY o.depends_on LIMIT 2) e), step + 1
      FROM line
     WHERE id IS NOT NULL AND step < $2::integer
)
SELECT e.depends_on, e.task, i.level
  FROM line
 CROSS JOIN LATERAL (
       SELECT DISTINCT o.depends_on, o.task FROM task_edge o
        WHERE o.depends_on BETWEEN line.id AND line.id
        ORDER BY o.depends_on, o.task) e
 CROSS JOIN LATERAL (SELECT * FROM task_index o WHERE o.id = e.task OFFSET 0) i
 ORDER BY line.step, e.task;

-- name: task_dependencies_onward
WITH RECURSIVE line (id, step) AS (
    VALUES ($1::text COLLATE "C", 0)
     UNION ALL
    SELECT (SELECT CASE count(*) WHEN 1 THEN max(e.depends_on) END
              FROM (SELECT o.depends_on FROM task_edge o WHERE o.task BETWEEN line.id AND line.id
                     ORDER BY o.task LIMIT 2) e), step + 1
      FROM line
     WHERE id IS NOT NULL AND step < $2::integer
)
SELECT e.task, e.depends_on, i.level
  FROM line
 CROSS JOIN LATERAL (
       SELECT DISTINCT o.task, o.depends_on FROM task_edge o
        WHERE o.task BETWEEN line.id AND line.id
        ORDER BY o.task, o.depends_on) e
 CROSS JOIN LATERAL (SELECT * FROM task_index o WHERE o.id = e.depends_on OFFSET 0) i
 ORDER BY line.step, e.depends_on;

-- name: task_unmet
SELECT DISTINCT e.task, e.depends_on, i.level
  FROM jsonb_array_elements_text($1::jsonb) WITH ORDINALITY AS wanted(value, key)
 CROSS JOIN LATERAL (
       SELECT * FROM task_edge o WHERE o.task BETWEEN wanted.value AND wanted.value
        ORDER BY o.task) e
 CROSS JOIN LATERAL (SELECT * FROM task_index o WHERE o.id = e.depends_on OFFSET 0) i
 WHERE i.status <> 'done'
 ORDER BY 1, 2;

-- name: tasks_ready
SELECT id, priority, unblocks FROM task_index
 WHERE repo = :repo AND status = 'open' AND waits_for = 0
   AND (aside = '' OR aside NOT IN (
       SELECT value FROM jsonb_array_elements_text(:unseen::jsonb) AS u(value)))
 ORDER BY priority, unblocks DESC, id LIMIT :limit;

-- name: tasks_given_up
-- Tasks whose lease has ended: they can be taken over.
SELECT id, priority, unblocks FROM task_index
 WHERE repo = :repo AND status = 'started' AND waits_for = 0
   AND (lease_until <= :now OR holder IS NULL)
   AND (aside = '' OR aside NOT IN (
       SELECT value FROM jsonb_array_elements_text(:unseen::jsonb) AS u(value)))
 ORDER BY priority, unblocks DESC, id LIMIT :limit;

-- name: tasks_started
SELECT id FROM task_index
 WHERE repo = :repo AND status = 'started'
   AND (waits_for > 0 OR lease_until > :now OR (lease_until IS NULL AND holder IS NOT NULL))
 ORDER BY id LIMIT :limit;

-- name: tasks_blocked
SELECT id FROM task_index
 WHERE repo = :repo AND status = 'blocked' AND waits_for >= 0 ORDER BY waits_for, aside, id LIMIT :limit;

-- name: tasks_waiting
-- In the order of the index: those that wait for the fewest first.
SELECT id FROM task_index
 WHERE repo = :repo AND status = 'open' AND waits_for > 0
 ORDER BY waits_for, aside, id LIMIT :limit;

-- name: tasks_elsewhere
SELECT id FROM task_index
 WHERE repo = :repo AND aside <> '' AND status <> 'done' AND waits_for = 0
   AND aside IN (SELECT value FROM jsonb_array_elements_text(:unseen::jsonb) AS u(value))
 ORDER BY id LIMIT :limit;

-- name: tally_tasks
-- Counts of ranges of an index: a GROUP BY over the whole plan takes five times as long.
WITH s (status) AS (VALUES ('open'), ('started'), ('blocked'), ('done'))
SELECT s.status, 0, '', (SELECT count(*) FROM task_index i
                          WHERE i.repo = $1 AND i.status = s.status AND i.waits_for = 0
                            AND i.aside = '')
  FROM s
 UNION ALL
SELECT s.status, 1, '', (SELECT count(*) FROM task_index i
                          WHERE i.repo = $1 AND i.status = s.status AND i.waits_for > 0
                            AND i.aside = '')
  FROM s
 UNION ALL
SELECT status, CASE WHEN waits_for > 0 THEN 1 ELSE 0 END, aside, count(*)
  FROM task_index WHERE repo = $1 AND aside <> ''
 GROUP BY 1, 2, 3;

-- name: tasks_aside
SELECT DISTINCT aside FROM task_index WHERE repo = $1 AND aside <> '' ORDER BY aside;

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
