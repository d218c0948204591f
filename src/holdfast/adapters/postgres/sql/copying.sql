-- name: empty_store
-- Removes every row of the store; foreign keys are checked at the end of the statement.
WITH gone_1 AS (DELETE FROM memory_standing),
     gone_2 AS (DELETE FROM memory_usage),
     gone_3 AS (DELETE FROM memory_evidence),
     gone_4 AS (DELETE FROM tombstone),
     gone_5 AS (DELETE FROM memory_link),
     gone_6 AS (DELETE FROM interaction),
     gone_7 AS (DELETE FROM session),
     gone_8 AS (DELETE FROM bundle),
     gone_9 AS (DELETE FROM span_anchor),
     gone_10 AS (DELETE FROM span),
     gone_11 AS (DELETE FROM tuning),
     gone_12 AS (DELETE FROM standpoint),
     gone_13 AS (DELETE FROM rewrite),
     gone_14 AS (DELETE FROM run),
     gone_45 AS (DELETE FROM run_step),
     gone_15 AS (DELETE FROM decision),
     gone_16 AS (DELETE FROM event),
     gone_17 AS (DELETE FROM meta),
     gone_18 AS (DELETE FROM memory_parts),
     gone_19 AS (DELETE FROM memory_cites),
     gone_20 AS (DELETE FROM memory_term),
     gone_21 AS (DELETE FROM common_term),
     gone_22 AS (DELETE FROM memory_band),
     gone_23 AS (DELETE FROM memory_tag),
     gone_24 AS (DELETE FROM memory_turn),
     gone_25 AS (DELETE FROM memory_name),
     gone_26 AS (DELETE FROM embedding_part),
     gone_27 AS (DELETE FROM embedding),
     gone_28 AS (DELETE FROM embedding_change),
     gone_29 AS (DELETE FROM embedding_model),
     gone_30 AS (DELETE FROM memory_index),
     gone_31 AS (DELETE FROM action_result),
     gone_32 AS (DELETE FROM action_proposal),
     gone_33 AS (DELETE FROM agent_cycle),
     gone_34 AS (DELETE FROM agent_lease),
     gone_35 AS (DELETE FROM agent),
     gone_36 AS (DELETE FROM memory),
     gone_37 AS (DELETE FROM workspace_file),
     gone_38 AS (DELETE FROM workspace_snapshot),
     gone_39 AS (DELETE FROM workspace),
     gone_40 AS (DELETE FROM task),
     gone_41 AS (DELETE FROM task_edge),
     gone_42 AS (DELETE FROM task_index),
     gone_43 AS (DELETE FROM session_record),
     gone_44 AS (DELETE FROM ciphertext),
     gone_46 AS (DELETE FROM said),
     gone_47 AS (DELETE FROM said_place),
     gone_48 AS (DELETE FROM said_word),
     gone_49 AS (DELETE FROM said_vector),
     gone_50 AS (DELETE FROM document)
SELECT 1;

-- name: empty_counters
UPDATE memory_stores
   SET total_memories = 0, total_words = 0, last_memory = 0, last_model = 0
 WHERE id = current_store();

-- name: raise_last_memory
UPDATE memory_stores SET last_memory = greatest(last_memory, $1) WHERE id = current_store();
