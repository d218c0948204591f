-- name: scan_memory
SELECT
-- include: memory_columns
  FROM memory m ORDER BY m.seq;

-- name: scan_memory_standing
SELECT seq, status, pinned, label, superseded_by, decided_by, decided_at, reason,
       salt, row_hash
  FROM memory_standing ORDER BY seq;

-- name: scan_memory_usage
SELECT seq, access_count, last_accessed, good, bad, salt, row_hash
  FROM memory_usage ORDER BY seq;

-- name: scan_memory_evidence
SELECT seq, place, source_json, salt, row_hash
  FROM memory_evidence ORDER BY seq, place;

-- name: scan_tombstone
SELECT memory_id, forgotten_at, forgotten_by, reason, salt, row_hash
  FROM tombstone ORDER BY memory_id;

-- name: scan_memory_link
SELECT src, dst, kind, score, salt, row_hash
  FROM memory_link ORDER BY src, dst, kind;

-- name: scan_session
SELECT id, tool, "user", repo, branch, started_at, finished_at, salt, row_hash
  FROM session ORDER BY id;

-- name: scan_interaction
SELECT id, session_id, ts, query, bundle_id, satisfied, notes, salt, row_hash
  FROM interaction ORDER BY id;

-- name: scan_bundle
SELECT id, asked_at, body, salt, row_hash
  FROM bundle ORDER BY id;

-- name: scan_span
SELECT id, repo, path, first_line, last_line, text_hash, captured_at, label, pinned,
       salt, row_hash
  FROM span ORDER BY id;

-- name: scan_span_anchor
SELECT span_id, body, salt, row_hash
  FROM span_anchor ORDER BY span_id;

-- name: scan_standpoint
SELECT subject, repo, branch, head, is_aside, is_shared, salt, row_hash
  FROM standpoint ORDER BY place;

-- name: scan_rewrite
SELECT repo, old, new, how, at, salt, row_hash
  FROM rewrite ORDER BY repo, old;

-- name: scan_tuning
SELECT space, version, weights, learned_from, at, note, salt, row_hash
  FROM tuning ORDER BY space, version;

-- name: scan_run
SELECT id, label, repo, status, started_at, body, salt, row_hash
  FROM run ORDER BY id;

-- name: scan_run_step
SELECT id, run_id, number, status, body, salt, row_hash
  FROM run_step ORDER BY id;

-- name: scan_decision
SELECT id, at, body, salt, row_hash
  FROM decision ORDER BY place;

-- name: scan_workspace
SELECT id, host, root, body, salt, row_hash
  FROM workspace ORDER BY id;

-- name: scan_workspace_snapshot
SELECT id, workspace, taken_at, manifest, body, salt, row_hash
  FROM workspace_snapshot ORDER BY id;

-- name: scan_task
SELECT id, repo, external, created_at, body, salt, row_hash
  FROM task ORDER BY id;

-- name: scan_agent
SELECT id, name, created_at, directives, config, salt, row_hash
  FROM agent ORDER BY id;

-- name: scan_agent_cycle
SELECT agent_id, cycle_index, started_at, epoch, salt, row_hash
  FROM agent_cycle ORDER BY agent_id, cycle_index;

-- name: scan_action_proposal
SELECT agent_id, cycle_index, tool, body, salt, row_hash
  FROM action_proposal ORDER BY agent_id, cycle_index;

-- name: scan_action_result
SELECT agent_id, cycle_index, failed, body, salt, row_hash
  FROM action_result ORDER BY agent_id, cycle_index;

-- name: scan_memory_index
SELECT agent_id, memory_id, namespace, at, cycle_index, salt, row_hash
  FROM memory_index ORDER BY agent_id, memory_id, namespace;

-- name: scan_session_record
SELECT subject, number, repo, branch, hidden, at, body, salt, row_hash
  FROM session_record ORDER BY subject, number;

-- name: scan_said
SELECT session_id, number, seq, repo, at, body, salt, row_hash
  FROM said ORDER BY session_id, number;

-- name: scan_document
SELECT collection, namespace, key, place, version, created_at, updated_at, expires_at,
       memory_id, body, salt, row_hash
  FROM document ORDER BY place;

-- name: scan_ciphertext
SELECT record, key_id, digest, body, salt, row_hash
  FROM ciphertext ORDER BY record;

-- name: scan_meta
SELECT name, value, salt, row_hash
  FROM meta ORDER BY name;

-- name: scan_event
SELECT sequence, at, action, subject, digest, previous, hash
  FROM event ORDER BY sequence;

-- name: scan_embedding
SELECT model, seq, vectors, crc FROM embedding ORDER BY model, seq;

-- name: memories_after
SELECT
-- include: memory_columns
  FROM memory m WHERE m.seq > $1 ORDER BY m.seq LIMIT $2;
