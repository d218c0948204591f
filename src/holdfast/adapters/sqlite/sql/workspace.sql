-- name: put_workspace
INSERT INTO workspace (id, host, root, body, salt, row_hash)
VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (id) DO UPDATE
   SET host = excluded.host, root = excluded.root, body = excluded.body, salt = excluded.salt,
       row_hash = excluded.row_hash;

-- name: get_workspace
SELECT id, host, root, body, salt, row_hash FROM workspace WHERE id = ?;

-- name: workspace_at
SELECT id, host, root, body, salt, row_hash FROM workspace WHERE host = ? AND root = ?;

-- name: all_workspaces
SELECT id, host, root, body, salt, row_hash FROM workspace ORDER BY id;

-- name: add_snapshot
INSERT INTO workspace_snapshot (id, workspace, taken_at, manifest, body, salt, row_hash)
VALUES (?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (id) DO UPDATE
   SET workspace = excluded.workspace, taken_at = excluded.taken_at,
       manifest = excluded.manifest, body = excluded.body, salt = excluded.salt,
       row_hash = excluded.row_hash;

-- name: get_snapshot
SELECT id, workspace, taken_at, manifest, body, salt, row_hash
  FROM workspace_snapshot WHERE id = ?;

-- name: remove_snapshot
DELETE FROM workspace_snapshot WHERE id = ?;

-- name: snapshots_before
SELECT id, workspace, taken_at, manifest, body, salt, row_hash
  FROM workspace_snapshot WHERE id < coalesce(:beyond, x'') ORDER BY id DESC LIMIT :limit;

-- name: snapshots_of_before
SELECT id, workspace, taken_at, manifest, body, salt, row_hash
  FROM workspace_snapshot WHERE workspace = :workspace AND id < coalesce(:beyond, x'')
 ORDER BY id DESC LIMIT :limit;

-- name: workspace_files
SELECT path, kind, mode, size, content, snapshot
  FROM workspace_file WHERE workspace = ? ORDER BY path;

-- name: put_workspace_files
-- All files in one statement: a tree has thousands.
INSERT INTO workspace_file (workspace, path, kind, mode, size, content, snapshot)
SELECT :workspace, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5
  FROM json_each(:files) WHERE true
ON CONFLICT (workspace, path) DO UPDATE
   SET kind = excluded.kind, mode = excluded.mode, size = excluded.size,
       content = excluded.content, snapshot = excluded.snapshot;

-- name: drop_workspace_files
DELETE FROM workspace_file
 WHERE workspace = :workspace AND path IN (SELECT value FROM json_each(:paths));

-- name: evidence_artifacts
-- Evidence that cites snapshots: of memories, and evidence that was added to them later.
SELECT m.id, m.source_json FROM memory m WHERE instr(m.source_json, '"artifact"') > 0
 UNION ALL
SELECT m.id, e.source_json
  FROM memory_evidence e JOIN memory m ON m.seq = e.seq
 WHERE instr(e.source_json, '"artifact"') > 0;

-- name: cycles_of_snapshots
-- The cycles for which snapshots were taken; one that was deleted with its agent protects nothing.
SELECT s.id, c.cycle_index, a.name
  FROM workspace_snapshot s
  JOIN agent_cycle c ON c.agent_id = json_extract(s.body, '$.cycle.agent')
                    AND c.cycle_index = json_extract(s.body, '$.cycle.index')
  JOIN agent a ON a.id = c.agent_id
 ORDER BY s.id;
