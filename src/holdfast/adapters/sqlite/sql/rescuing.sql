-- name: counters
SELECT name, seq FROM sqlite_sequence WHERE name IN ('memory', 'interaction');

-- name: raise_counter
UPDATE sqlite_sequence SET seq = max(seq, ?1) WHERE name = ?2;

-- name: add_counter
INSERT INTO sqlite_sequence (name, seq)
SELECT ?1, ?2 WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = ?1);

-- name: memories_accounted_for
-- Memories that exist, were forgotten, or were logged as lost.
SELECT (SELECT count(*) FROM memory)
     + (SELECT count(*) FROM tombstone)
     + (SELECT count(DISTINCT subject) FROM event WHERE action = 'memory.lost');

-- name: drop_orphans
-- Rows that belong to a row that was not rescued, and forgotten memories that reappeared.
DELETE FROM memory WHERE id IN (SELECT memory_id FROM tombstone);
DELETE FROM memory_standing WHERE seq NOT IN (SELECT seq FROM memory);
DELETE FROM memory_usage    WHERE seq NOT IN (SELECT seq FROM memory);
DELETE FROM memory_evidence WHERE seq NOT IN (SELECT seq FROM memory);
DELETE FROM memory_link     WHERE src NOT IN (SELECT id FROM memory)
                               OR dst NOT IN (SELECT id FROM memory);
DELETE FROM span_anchor     WHERE span_id NOT IN (SELECT id FROM span);
DELETE FROM standpoint      WHERE subject NOT IN (SELECT id FROM memory)
                              AND subject NOT IN (SELECT id FROM session)
                              AND subject NOT GLOB 't_*';
DELETE FROM interaction     WHERE session_id NOT IN (SELECT id FROM session);
DELETE FROM said            WHERE session_id NOT IN (SELECT id FROM session);
DELETE FROM agent_cycle     WHERE agent_id NOT IN (SELECT id FROM agent);
DELETE FROM action_proposal WHERE (agent_id, cycle_index) NOT IN
                                  (SELECT agent_id, cycle_index FROM agent_cycle);
DELETE FROM action_result   WHERE (agent_id, cycle_index) NOT IN
                                  (SELECT agent_id, cycle_index FROM action_proposal);
DELETE FROM memory_index    WHERE agent_id NOT IN (SELECT id FROM agent)
                               OR memory_id NOT IN (SELECT id FROM memory);
DELETE FROM document        WHERE memory_id IS NOT NULL
                              AND memory_id NOT IN (SELECT id FROM memory);
DELETE FROM ciphertext      WHERE substr(record || ' ', 1, instr(record || ' ', ' ') - 1) NOT IN
                                  (SELECT id FROM memory UNION ALL SELECT id FROM agent);

-- name: without_standing
SELECT seq, id FROM memory WHERE seq NOT IN (SELECT seq FROM memory_standing);

-- name: forgotten_without_tombstone
SELECT subject, max(at) FROM event
 WHERE action IN ('memory.forgotten', 'tombstone.buried')
   AND subject NOT IN (SELECT memory_id FROM tombstone)
 GROUP BY subject;

-- name: defer_references
PRAGMA defer_foreign_keys = ON;

-- name: columns_of
-- The columns of a table in the order of its definition; pk is 0 outside the primary key.
SELECT type, pk FROM pragma_table_info(?) ORDER BY cid;

-- name: changes_by_digest
-- The changes in order, with what they change: a memory has several rows, each with its action;
-- a memory may have several pieces of evidence, so none of them replaces another.
SELECT sequence, subject,
       CASE WHEN action = 'memory.evidence' THEN action || ' ' || sequence
            WHEN action GLOB 'memory.*' THEN action
            ELSE substr(action, 1, instr(action, '.') - 1) END,
       digest
  FROM event ORDER BY sequence;
