-- name: put_agent
INSERT INTO agent (id, name, created_at, directives, config, salt, row_hash)
VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT (tenant_id, store_id, id) DO UPDATE
   SET name = excluded.name, created_at = excluded.created_at, directives = excluded.directives,
       config = excluded.config, salt = excluded.salt, row_hash = excluded.row_hash;

-- name: get_agent
SELECT id, name, created_at, directives, config, salt, row_hash FROM agent WHERE id = $1;

-- name: agent_named
SELECT id, name, created_at, directives, config, salt, row_hash FROM agent WHERE name = $1;

-- name: agents_before
-- The repositories of an agent are those of its memories; one without any is listed in all.
SELECT id, name, created_at, directives, config, salt, row_hash
  FROM agent
 WHERE (:beyond::text IS NULL OR id < :beyond)
   AND (:repo::text IS NULL
        OR EXISTS (SELECT 1 FROM memory_index i JOIN memory m ON m.id = i.memory_id
                    WHERE i.agent_id = agent.id AND m.repo = :repo)
        OR NOT EXISTS (SELECT 1 FROM memory_index i JOIN memory m ON m.id = i.memory_id
                        WHERE i.agent_id = agent.id AND m.repo IS NOT NULL))
 ORDER BY id DESC LIMIT :limit;

-- name: drop_results_of
DELETE FROM action_result WHERE agent_id = $1;

-- name: drop_proposals_of
DELETE FROM action_proposal WHERE agent_id = $1;

-- name: drop_cycles_of
DELETE FROM agent_cycle WHERE agent_id = $1;

-- name: drop_indexes_of
DELETE FROM memory_index WHERE agent_id = $1;

-- name: drop_lease_of
DELETE FROM agent_lease WHERE agent_id = $1;

-- name: drop_agent
DELETE FROM agent WHERE id = $1;

-- name: put_lease
INSERT INTO agent_lease (agent_id, token, epoch, holder, until) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (tenant_id, store_id, agent_id) DO UPDATE
   SET token = excluded.token, epoch = excluded.epoch, holder = excluded.holder,
       until = excluded.until;

-- name: get_lease
SELECT agent_id, token, epoch, holder, until FROM agent_lease WHERE agent_id = $1;

-- name: add_cycle
INSERT INTO agent_cycle (agent_id, cycle_index, started_at, epoch, salt, row_hash)
VALUES ($1, $2, $3, $4, $5, $6);

-- name: add_proposal
INSERT INTO action_proposal (agent_id, cycle_index, tool, body, salt, row_hash)
VALUES ($1, $2, $3, $4, $5, $6);

-- name: add_result
INSERT INTO action_result (agent_id, cycle_index, failed, body, salt, row_hash)
VALUES ($1, $2, $3, $4, $5, $6);

-- name: cycle_columns
c.agent_id, c.cycle_index, c.started_at, c.epoch, c.salt, c.row_hash,
p.agent_id, p.cycle_index, p.tool, p.body, p.salt, p.row_hash,
r.agent_id, r.cycle_index, r.failed, r.body, r.salt, r.row_hash
  FROM agent_cycle c
  LEFT JOIN action_proposal p ON p.agent_id = c.agent_id AND p.cycle_index = c.cycle_index
  LEFT JOIN action_result r ON r.agent_id = c.agent_id AND r.cycle_index = c.cycle_index

-- name: get_cycle
SELECT
-- include: cycle_columns
 WHERE c.agent_id = $1 AND c.cycle_index = $2;

-- name: last_cycle
SELECT coalesce(max(cycle_index), 0) FROM agent_cycle WHERE agent_id = $1;

-- name: count_interrupted
SELECT (SELECT count(*) FROM agent_cycle WHERE agent_id = :agent)
     - (SELECT count(*) FROM action_result WHERE agent_id = :agent);

-- name: cycles_before
SELECT
-- include: cycle_columns
 WHERE c.agent_id = :agent AND c.cycle_index < coalesce(:before::bigint, 9223372036854775807)
 ORDER BY c.cycle_index DESC LIMIT :limit;

-- name: complete_cycles_before
SELECT
-- include: cycle_columns
 WHERE c.agent_id = :agent AND c.cycle_index < coalesce(:before::bigint, 9223372036854775807)
   AND r.agent_id IS NOT NULL
 ORDER BY c.cycle_index DESC LIMIT :limit;

-- name: put_index
INSERT INTO memory_index (agent_id, memory_id, namespace, at, cycle_index, salt, row_hash)
VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT (tenant_id, store_id, agent_id, memory_id, namespace) DO UPDATE
   SET at = excluded.at, cycle_index = excluded.cycle_index, salt = excluded.salt,
       row_hash = excluded.row_hash;

-- name: indexes_of
SELECT agent_id, memory_id, namespace, at, cycle_index, salt, row_hash
  FROM memory_index
 WHERE agent_id = :agent
   AND (:namespaces::text IS NULL
        OR namespace IN (SELECT jsonb_array_elements_text(:namespaces::jsonb)))
 ORDER BY memory_id DESC, namespace LIMIT nullif(:limit::bigint, -1);

-- name: indexes_about
SELECT agent_id, memory_id, namespace, at, cycle_index, salt, row_hash
  FROM memory_index WHERE memory_id = $1 ORDER BY agent_id, namespace;

-- name: drop_indexes_about
DELETE FROM memory_index WHERE memory_id = $1;
