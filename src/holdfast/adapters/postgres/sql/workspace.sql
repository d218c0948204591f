-- name: put_workspace
INSERT INTO workspace (id, host, root, body, salt, row_hash)
VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (tenant_id, store_id, id) DO UPDATE
   SET host = excluded.host, root = excluded.root, body = excluded.body, salt = excluded.salt,
       row_hash = excluded.row_hash;

-- name: get_workspace
SELECT id, host, root, body, salt, row_hash FROM workspace WHERE id = $1;

-- name: workspace_at
SELECT id, host, root, body, salt, row_hash FROM workspace WHERE host = $1 AND root = $2;

-- name: all_workspaces
SELECT id, host, root, body, salt, row_hash FROM workspace ORDER BY id;

-- name: add_snapshot
INSERT INTO workspace_snapshot (id, workspace, taken_at, manifest, body, salt, row_hash)
VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT (tenant_id, store_id, id) DO UPDATE
   SET workspace = excluded.workspace, taken_at = excluded.taken_at,
       manifest = excluded.manifest, body = excluded.body, salt = excluded.salt,
       row_hash = excluded.row_hash;

-- name: get_snapshot
SELECT id, workspace, taken_at, manifest, body, salt, row_hash
  FROM workspace_snapshot WHERE id = $1;

-- name: remove_snapshot
DELETE FROM workspace_snapshot WHERE id = $1;

-- name: snapshots_before
SELECT id, workspace, taken_at, manifest, body, salt, row_hash
  FROM workspace_snapshot WHERE (:beyond::text IS NULL OR id < :beyond) ORDER BY id DESC LIMIT :limit;

-- name: snapshots_of_before
SELECT id, workspace, taken_at, manifest, body, salt, row_hash
  FROM workspace_snapshot WHERE workspace = :workspace AND (:beyond::text IS NULL OR id < :beyond)
 ORDER BY id DESC LIMIT :limit;

-- name: workspace_files
SELECT path, kind, mode, size, content, snapshot
  FROM workspace_file WHERE workspace = $1 ORDER BY path;

-- name: put_workspace_files
-- All files in one statement: a tree has thousands.
INSERT INTO workspace_file (workspace, path, kind, mode, size, content, snapshot)
SELECT :workspace, value ->> 0, value ->> 1, (value ->> 2)::integer, (value ->> 3)::bigint,
       value ->> 4, value ->> 5
  FROM json_array_elements(:files::json) AS files (value)
ON CONFLICT (tenant_id, store_id, workspace, path) DO UPDATE
   SET kind = excluded.kind, mode = excluded.mode, size = excluded.size,
       content = excluded.content, snapshot = excluded.snapshot;

-- name: drop_workspace_files
DELETE FROM workspace_file
 WHERE workspace = :workspace AND path IN (SELECT json_array_elements_text(:paths::json));

-- name: evidence_artifacts
-- Evidence that cites snapshots: of memories, and evidence that was added to them later.
SELECT m.id, m.source_json FROM memory m WHERE strpos(m.source_json, '"artifact"') > 0
 UNION ALL
SELECT m.id, e.source_json
  FROM memory_evidence e JOIN memory m ON m.seq = e.seq
 WHERE strpos(e.source_json, '"artifact"') > 0;

-- name: cycles_of_snapshots
-- The cycles for which snapshots were taken; one that was deleted with its agent protects nothing.
SELECT s.id, c.cycle_index, a.name
  FROM workspace_snapshot s
  JOIN agent_cycle c ON c.agent_id = s.body::json #>> '{cycle,agent}'
                    AND c.cycle_index = (s.body::json #>> '{cycle,index}')::bigint
  JOIN agent a ON a.id = c.agent_id
 ORDER BY s.id;
