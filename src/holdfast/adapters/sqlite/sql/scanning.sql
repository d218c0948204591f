-- name: scan_memory
SELECT m.rowid,
-- include: memory_columns
  FROM memory m WHERE m.rowid > :after AND m.rowid <= :until ORDER BY m.rowid LIMIT :limit;

-- name: scan_memory_standing
SELECT rowid, seq, status, pinned, label, superseded_by, decided_by, decided_at, reason,
       salt, row_hash
  FROM memory_standing WHERE rowid > :after AND rowid <= :until ORDER BY rowid LIMIT :limit;

-- name: scan_memory_usage
SELECT rowid, seq, access_count, last_accessed, good, bad, salt, row_hash
  FROM memory_usage WHERE rowid > :after AND rowid <= :until ORDER BY rowid LIMIT :limit;

-- name: scan_memory_evidence
SELECT rowid, seq, place, source_json, salt, row_hash
  FROM memory_evidence WHERE rowid > :after AND rowid <= :until ORDER BY rowid LIMIT :limit;

-- name: scan_tombstone
SELECT rowid, memory_id, forgotten_at, forgotten_by, reason, salt, row_hash
  FROM tombstone WHERE rowid > :after AND rowid <= :until ORDER BY rowid LIMIT :limit;

-- name: scan_memory_link
SELECT rowid, src, dst, kind, score, salt, row_hash
  FROM memory_link WHERE rowid > :after AND rowid <= :until ORDER BY rowid LIMIT :limit;

-- name: scan_session
SELECT rowid, id, tool, user, repo, branch, started_at, finished_at, salt, row_hash
  FROM session WHERE rowid > :after AND rowid <= :until ORDER BY rowid LIMIT :limit;

-- name: scan_interaction
SELECT rowid, id, session_id, ts, query, bundle_id, satisfied, notes, salt, row_hash
  FROM interaction WHERE rowid > :after AND rowid <= :until ORDER BY rowid LIMIT :limit;

-- name: scan_bundle
SELECT rowid, id, asked_at, body, salt, row_hash
  FROM bundle WHERE rowid > :after AND rowid <= :until ORDER BY rowid LIMIT :limit;

-- name: scan_span
SELECT rowid, id, repo, path, first_line, last_line, text_hash, captured_at, label, pinned,
       salt, row_hash
  FROM span WHERE rowid > :after AND rowid <= :until ORDER BY rowid LIMIT :limit;

-- name: scan_span_anchor
SELECT rowid, span_id, body, salt, row_hash
  FROM span_anchor WHERE rowid > :after AND rowid <= :until ORDER BY rowid LIMIT :limit;

-- name: scan_standpoint
SELECT rowid, subject, repo, branch, head, is_aside, is_shared, salt, row_hash
  FROM standpoint WHERE rowid > :after AND rowid <= :until ORDER BY rowid LIMIT :limit;

-- name: scan_rewrite
SELECT rowid, repo, old, new, how, at, salt, row_hash
  FROM rewrite WHERE rowid > :after AND rowid <= :until ORDER BY rowid LIMIT :limit;

-- name: scan_tuning
SELECT rowid, space, version, weights, learned_from, at, note, salt, row_hash
  FROM tuning WHERE rowid > :after AND rowid <= :until ORDER BY rowid LIMIT :limit;

-- name: scan_run
SELECT rowid, id, label, repo, status, started_at, body, salt, row_hash
  FROM run WHERE rowid > :after AND rowid <= :until ORDER BY rowid LIMIT :limit;

-- name: scan_run_step
SELECT rowid, id, run_id, number, status, body, salt, row_hash
  FROM run_step WHERE rowid > :after AND rowid <= :until ORDER BY rowid LIMIT :limit;

-- name: scan_decision
SELECT rowid, id, at, body, salt, row_hash
  FROM decision WHERE rowid > :after AND rowid <= :until ORDER BY rowid LIMIT :limit;

-- name: scan_workspace
SELECT rowid, id, host, root, body, salt, row_hash
  FROM workspace WHERE rowid > :after AND rowid <= :until ORDER BY rowid LIMIT :limit;

-- name: scan_workspace_snapshot
SELECT rowid, id, workspace, taken_at, manifest, body, salt, row_hash
  FROM workspace_snapshot WHERE rowid > :after AND rowid <= :until ORDER BY rowid LIMIT :limit;

-- name: scan_task
SELECT rowid, id, repo, external, created_at, body, salt, row_hash
  FROM task WHERE rowid > :after AND rowid <= :until ORDER BY rowid LIMIT :limit;

-- name: scan_agent
SELECT rowid, id, name, created_at, directives, config, salt, row_hash
  FROM agent WHERE rowid > :after AND rowid <= :until ORDER BY rowid LIMIT :limit;

-- name: scan_agent_cycle
SELECT rowid, agent_id, cycle_index, started_at, epoch, salt, row_hash
  FROM agent_cycle WHERE rowid > :after AND rowid <= :until ORDER BY rowid LIMIT :limit;

-- name: scan_action_proposal
SELECT rowid, agent_id, cycle_index, tool, body, salt, row_hash
  FROM action_proposal WHERE rowid > :after AND rowid <= :until ORDER BY rowid LIMIT :limit;

-- name: scan_action_result
SELECT rowid, agent_id, cycle_index, failed, body, salt, row_hash
  FROM action_result WHERE rowid > :after AND rowid <= :until ORDER BY rowid LIMIT :limit;

-- name: scan_memory_index
SELECT rowid, agent_id, memory_id, namespace, at, cycle_index, salt, row_hash
  FROM memory_index WHERE rowid > :after AND rowid <= :until ORDER BY rowid LIMIT :limit;

-- name: scan_session_record
SELECT rowid, subject, number, repo, branch, hidden, at, body, salt, row_hash
  FROM session_record WHERE rowid > :after AND rowid <= :until ORDER BY rowid LIMIT :limit;

-- name: scan_said
SELECT rowid, session_id, number, seq, repo, at, body, salt, row_hash
  FROM said WHERE rowid > :after AND rowid <= :until ORDER BY rowid LIMIT :limit;

-- name: scan_document
SELECT rowid, collection, namespace, key, place, version, created_at, updated_at, expires_at,
       memory_id, body, salt, row_hash
  FROM document WHERE rowid > :after AND rowid <= :until ORDER BY rowid LIMIT :limit;

-- name: scan_ciphertext
SELECT rowid, record, key_id, digest, body, salt, row_hash
  FROM ciphertext WHERE rowid > :after AND rowid <= :until ORDER BY rowid LIMIT :limit;

-- name: scan_meta
SELECT rowid, name, value, salt, row_hash
  FROM meta WHERE rowid > :after AND rowid <= :until ORDER BY rowid LIMIT :limit;

-- name: scan_event
SELECT rowid, sequence, at, action, subject, digest, previous, hash
  FROM event WHERE rowid > :after AND rowid <= :until ORDER BY rowid LIMIT :limit;

-- name: scan_embedding
SELECT rowid, place >> 40, place & 1099511627775, vectors, crc
  FROM embedding WHERE rowid > :after AND rowid <= :until ORDER BY rowid LIMIT :limit;

-- name: last_number
-- An upper bound for row numbers, if the table itself cannot be read for it.
SELECT coalesce(max(seq), 0) FROM sqlite_sequence;
