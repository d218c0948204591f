-- name: integrity
PRAGMA integrity_check(50);

-- name: references
PRAGMA foreign_key_check;

-- name: schema
SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_schema
 WHERE name NOT LIKE 'sqlite_stat%' ORDER BY type, name;

-- name: check_words
-- With rank 1, FTS5 compares the index with the texts themselves.
INSERT INTO memory_fts (memory_fts, rank) VALUES ('integrity-check', 1);

-- name: words_uncovered
SELECT (SELECT count(*) FROM memory_fts_docsize WHERE id NOT IN (SELECT seq FROM memory))
     + (SELECT count(*) FROM memory WHERE seq NOT IN (SELECT id FROM memory_fts_docsize));

-- name: derived_orphans
SELECT (SELECT count(*) FROM memory_parts WHERE seq NOT IN (SELECT seq FROM memory))
     + (SELECT count(*) FROM memory_cites WHERE seq NOT IN (SELECT seq FROM memory))
     + (SELECT count(*) FROM memory_band  WHERE seq NOT IN (SELECT seq FROM memory))
     + (SELECT count(*) FROM memory_tag   WHERE seq NOT IN (SELECT seq FROM memory))
     + (SELECT count(*) FROM memory_turn  WHERE seq NOT IN (SELECT seq FROM memory))
     + (SELECT count(*) FROM memory_name  WHERE seq NOT IN (SELECT seq FROM memory));

-- name: parts_of
SELECT parts FROM memory_parts WHERE seq = ?;

-- name: citations_of
SELECT span_id FROM memory_cites INDEXED BY cites_seq WHERE seq = ? ORDER BY span_id;

-- name: bands_among
SELECT b.band FROM json_each(?1) wanted JOIN memory_band b ON b.band = wanted.value AND b.seq = ?2;

-- name: count_bands
SELECT count(*) FROM memory_band;

-- name: unlike_their_events
-- Rows that differ from their last event: an older state was restored, or a change was not logged.
SELECT 'memory' AS noun, m.id AS name, m.id AS subject, m.row_hash
  FROM memory m
 WHERE m.row_hash IS NOT (SELECT e.digest FROM event e
                           WHERE e.subject = m.id
                             AND e.action IN ('memory.added', 'memory.rescued')
                           ORDER BY e.sequence DESC LIMIT 1)
 UNION ALL
SELECT 'standing', m.id, m.id, s.row_hash
  FROM memory_standing s JOIN memory m ON m.seq = s.seq
 WHERE s.row_hash <> (SELECT e.digest FROM event e
                       WHERE e.subject = m.id AND e.action = 'memory.standing'
                       ORDER BY e.sequence DESC LIMIT 1)
 UNION ALL
SELECT 'evidence', m.id, m.id, v.row_hash
  FROM memory_evidence v JOIN memory m ON m.seq = v.seq
 WHERE NOT EXISTS (SELECT 1 FROM event e
                    WHERE e.subject = m.id AND e.action = 'memory.evidence'
                      AND e.digest = v.row_hash)
 UNION ALL
SELECT 'link', l.src || ' ' || l.dst || ' ' || l.kind, l.src || ' ' || l.dst || ' ' || l.kind,
       l.row_hash
  FROM memory_link l
 WHERE l.row_hash IS NOT (SELECT e.digest FROM event e
                           WHERE e.subject = l.src || ' ' || l.dst || ' ' || l.kind
                             AND e.action = 'link.put'
                           ORDER BY e.sequence DESC LIMIT 1)
 UNION ALL
SELECT 'session', s.id, s.id, s.row_hash
  FROM session s
 WHERE s.row_hash IS NOT (SELECT e.digest FROM event e
                           WHERE e.subject = s.id AND e.action = 'session.put'
                           ORDER BY e.sequence DESC LIMIT 1)
 UNION ALL
SELECT 'turn', CAST(t.id AS TEXT), CAST(t.id AS TEXT), t.row_hash
  FROM interaction t
 WHERE t.row_hash IS NOT (SELECT e.digest FROM event e
                           WHERE e.subject = CAST(t.id AS TEXT)
                             AND e.action IN ('turn.added', 'turn.set')
                           ORDER BY e.sequence DESC LIMIT 1)
 UNION ALL
SELECT 'bundle', b.id, b.id, b.row_hash
  FROM bundle b
 WHERE b.row_hash IS NOT (SELECT e.digest FROM event e
                           WHERE e.subject = b.id AND e.action = 'bundle.put'
                           ORDER BY e.sequence DESC LIMIT 1)
 UNION ALL
SELECT 'run', n.id, n.id, n.row_hash
  FROM run n
 WHERE n.row_hash IS NOT (SELECT e.digest FROM event e
                           WHERE e.subject = n.id AND e.action = 'run.put'
                           ORDER BY e.sequence DESC LIMIT 1)
 UNION ALL
SELECT 'step', n.id, n.id, n.row_hash
  FROM run_step n
 WHERE n.row_hash IS NOT (SELECT e.digest FROM event e
                           WHERE e.subject = n.id AND e.action = 'step.put'
                           ORDER BY e.sequence DESC LIMIT 1)
 UNION ALL
SELECT 'workspace', w.id, w.id, w.row_hash
  FROM workspace w
 WHERE w.row_hash IS NOT (SELECT e.digest FROM event e
                           WHERE e.subject = w.id AND e.action = 'workspace.put'
                           ORDER BY e.sequence DESC LIMIT 1)
 UNION ALL
SELECT 'snapshot', v.id, v.id, v.row_hash
  FROM workspace_snapshot v
 WHERE v.row_hash IS NOT (SELECT e.digest FROM event e
                           WHERE e.subject = v.id
                             AND e.action IN ('snapshot.put', 'snapshot.removed')
                           ORDER BY e.sequence DESC LIMIT 1)
 UNION ALL
SELECT 'task', n.id, n.id, n.row_hash
  FROM task n
 WHERE n.row_hash IS NOT (SELECT e.digest FROM event e
                           WHERE e.subject = n.id AND e.action = 'task.put'
                           ORDER BY e.sequence DESC LIMIT 1)
 UNION ALL
SELECT 'record', r.subject || ' ' || r.number, r.subject || ' ' || r.number, r.row_hash
  FROM session_record r
 WHERE r.row_hash IS NOT (SELECT e.digest FROM event e
                           WHERE e.subject = r.subject || ' ' || r.number
                             AND e.action = 'record.put'
                           ORDER BY e.sequence DESC LIMIT 1)
 UNION ALL
SELECT 'agent', a.id, a.id, a.row_hash
  FROM agent a
 WHERE a.row_hash IS NOT (SELECT e.digest FROM event e
                           WHERE e.subject = a.id
                             AND e.action = 'agent.put'
                           ORDER BY e.sequence DESC LIMIT 1)
 UNION ALL
SELECT 'cycle', c.agent_id || ' ' || c.cycle_index, c.agent_id || ' ' || c.cycle_index, c.row_hash
  FROM agent_cycle c
 WHERE c.row_hash IS NOT (SELECT e.digest FROM event e
                           WHERE e.subject = c.agent_id || ' ' || c.cycle_index
                             AND e.action = 'cycle.added'
                           ORDER BY e.sequence DESC LIMIT 1)
 UNION ALL
SELECT 'proposal', p.agent_id || ' ' || p.cycle_index, p.agent_id || ' ' || p.cycle_index, p.row_hash
  FROM action_proposal p
 WHERE p.row_hash IS NOT (SELECT e.digest FROM event e
                           WHERE e.subject = p.agent_id || ' ' || p.cycle_index
                             AND e.action = 'proposal.added'
                           ORDER BY e.sequence DESC LIMIT 1)
 UNION ALL
SELECT 'result', r.agent_id || ' ' || r.cycle_index, r.agent_id || ' ' || r.cycle_index, r.row_hash
  FROM action_result r
 WHERE r.row_hash IS NOT (SELECT e.digest FROM event e
                           WHERE e.subject = r.agent_id || ' ' || r.cycle_index
                             AND e.action = 'result.added'
                           ORDER BY e.sequence DESC LIMIT 1)
 UNION ALL
SELECT 'namespace', i.memory_id || ' ' || i.agent_id || ' ' || lower(hex(i.row_hash)), i.memory_id || ' ' || i.agent_id || ' ' || lower(hex(i.row_hash)), i.row_hash
  FROM memory_index i
 WHERE i.row_hash IS NOT (SELECT e.digest FROM event e
                           WHERE e.subject = i.memory_id || ' ' || i.agent_id || ' ' || lower(hex(i.row_hash))
                             AND e.action = 'namespace.put'
                           ORDER BY e.sequence DESC LIMIT 1)
 UNION ALL
SELECT 'ciphertext', c.record, c.record, c.row_hash
  FROM ciphertext c
 WHERE c.row_hash IS NOT (SELECT e.digest FROM event e
                           WHERE e.subject = c.record AND e.action = 'ciphertext.put'
                           ORDER BY e.sequence DESC LIMIT 1)
 UNION ALL
SELECT 'decision', d.id, d.id, d.row_hash
  FROM decision d
 WHERE d.row_hash IS NOT (SELECT e.digest FROM event e
                           WHERE e.subject = d.id AND e.action = 'decision.put'
                           ORDER BY e.sequence DESC LIMIT 1)
 UNION ALL
SELECT 'span', s.id, s.id, s.row_hash
  FROM span s
 WHERE s.row_hash IS NOT (SELECT e.digest FROM event e
                           WHERE e.subject = s.id AND e.action = 'span.put'
                           ORDER BY e.sequence DESC LIMIT 1)
 UNION ALL
SELECT 'weights', t.space || ' ' || t.version, t.space || ' ' || t.version, t.row_hash
  FROM tuning t
 WHERE t.row_hash IS NOT (SELECT e.digest FROM event e
                           WHERE e.subject = t.space || ' ' || t.version
                             AND e.action = 'weights.put'
                           ORDER BY e.sequence DESC LIMIT 1)
 UNION ALL
SELECT 'anchor', a.span_id, a.span_id, a.row_hash
  FROM span_anchor a
 WHERE a.row_hash IS NOT (SELECT e.digest FROM event e
                           WHERE e.subject = a.span_id
                             AND e.action IN ('anchor.put', 'anchor.removed')
                           ORDER BY e.sequence DESC LIMIT 1)
 UNION ALL
SELECT 'standpoint', p.subject, p.subject, p.row_hash
  FROM standpoint p
 WHERE p.row_hash IS NOT (SELECT e.digest FROM event e
                           WHERE e.subject = p.subject
                             AND e.action IN ('standpoint.put', 'standpoint.removed')
                           ORDER BY e.sequence DESC LIMIT 1)
 UNION ALL
SELECT 'rewrite', r.repo || ' ' || r.old, r.repo || ' ' || r.old, r.row_hash
  FROM rewrite r
 WHERE r.row_hash IS NOT (SELECT e.digest FROM event e
                           WHERE e.subject = r.repo || ' ' || r.old
                             AND e.action = 'rewrite.put'
                           ORDER BY e.sequence DESC LIMIT 1);

-- name: gone_without_a_trace
-- Rows that the log records as written and never removed, but that do not exist.
SELECT DISTINCT 'memory' AS noun, e.subject
  FROM event e
 WHERE e.action IN ('memory.added', 'memory.rescued')
   AND e.subject NOT IN (SELECT id FROM memory)
   AND e.subject NOT IN (SELECT memory_id FROM tombstone)
   AND NOT EXISTS (SELECT 1 FROM event l WHERE l.subject = e.subject AND l.action = 'memory.lost')
 UNION ALL
SELECT 'standing', m.id FROM memory m WHERE m.seq NOT IN (SELECT seq FROM memory_standing)
 UNION ALL
SELECT DISTINCT 'evidence', e.subject
  FROM event e JOIN memory m ON m.id = e.subject
 WHERE e.action = 'memory.evidence'
   AND NOT EXISTS (SELECT 1 FROM memory_evidence v
                    WHERE v.seq = m.seq AND v.row_hash = e.digest)
   AND NOT EXISTS (SELECT 1 FROM event l
                    WHERE l.subject = e.subject
                      AND l.action IN ('evidence.removed', 'evidence.lost')
                      AND l.sequence > e.sequence)
 UNION ALL
SELECT DISTINCT 'tombstone', e.subject
  FROM event e
 WHERE e.action IN ('memory.forgotten', 'tombstone.buried')
   AND e.subject NOT IN (SELECT memory_id FROM tombstone)
 UNION ALL
SELECT DISTINCT 'session', e.subject
  FROM event e
 WHERE e.action = 'session.put' AND e.subject NOT IN (SELECT id FROM session)
   AND NOT EXISTS (SELECT 1 FROM event l WHERE l.subject = e.subject AND l.action = 'session.lost')
 UNION ALL
SELECT DISTINCT 'turn', e.subject
  FROM event e
 WHERE e.action = 'turn.added' AND CAST(e.subject AS INTEGER) NOT IN (SELECT id FROM interaction)
   AND NOT EXISTS (SELECT 1 FROM event l WHERE l.subject = e.subject AND l.action = 'turn.lost')
 UNION ALL
SELECT DISTINCT 'bundle', e.subject
  FROM event e
 WHERE e.action = 'bundle.put' AND e.subject NOT IN (SELECT id FROM bundle)
   AND NOT EXISTS (SELECT 1 FROM event l WHERE l.subject = e.subject AND l.action = 'bundle.lost')
 UNION ALL
SELECT DISTINCT 'run', e.subject
  FROM event e
 WHERE e.action = 'run.put' AND e.subject NOT IN (SELECT id FROM run)
   AND NOT EXISTS (SELECT 1 FROM event l WHERE l.subject = e.subject AND l.action = 'run.lost')
 UNION ALL
SELECT DISTINCT 'step', e.subject
  FROM event e
 WHERE e.action = 'step.put' AND e.subject NOT IN (SELECT id FROM run_step)
   AND NOT EXISTS (SELECT 1 FROM event l WHERE l.subject = e.subject AND l.action = 'step.lost')
 UNION ALL
SELECT DISTINCT 'workspace', e.subject
  FROM event e
 WHERE e.action = 'workspace.put' AND e.subject NOT IN (SELECT id FROM workspace)
   AND NOT EXISTS (SELECT 1 FROM event l
                    WHERE l.subject = e.subject AND l.action = 'workspace.lost')
 UNION ALL
SELECT DISTINCT 'snapshot', e.subject
  FROM event e
 WHERE e.action = 'snapshot.put' AND e.subject NOT IN (SELECT id FROM workspace_snapshot)
   AND NOT EXISTS (SELECT 1 FROM event l
                    WHERE l.subject = e.subject
                      AND l.action IN ('snapshot.removed', 'snapshot.lost'))
 UNION ALL
SELECT DISTINCT 'task', e.subject
  FROM event e
 WHERE e.action = 'task.put' AND e.subject NOT IN (SELECT id FROM task)
   AND NOT EXISTS (SELECT 1 FROM event l WHERE l.subject = e.subject AND l.sequence > e.sequence
                      AND l.action IN ('task.deleted', 'task.lost'))
 UNION ALL
SELECT DISTINCT 'record', e.subject
  FROM event e
 WHERE e.action = 'record.put'
   AND e.subject NOT IN (SELECT subject || ' ' || number FROM session_record)
   AND NOT EXISTS (SELECT 1 FROM event l
                    WHERE l.subject = e.subject AND l.sequence > e.sequence
                      AND l.action = 'record.lost')
 UNION ALL
SELECT DISTINCT 'agent', e.subject
  FROM event e
 WHERE e.action = 'agent.put'
   AND e.subject NOT IN (SELECT id FROM agent)
   AND NOT EXISTS (SELECT 1 FROM event l
                    WHERE l.subject = e.subject AND l.sequence > e.sequence
                      AND l.action IN ('agent.removed', 'agent.lost'))
 UNION ALL
SELECT DISTINCT 'cycle', e.subject
  FROM event e
 WHERE e.action = 'cycle.added'
   AND e.subject NOT IN (SELECT agent_id || ' ' || cycle_index FROM agent_cycle)
   AND substr(e.subject, 1, instr(e.subject, ' ') - 1) IN (SELECT id FROM agent)
   AND NOT EXISTS (SELECT 1 FROM event l
                    WHERE l.subject = e.subject AND l.sequence > e.sequence
                      AND l.action IN ('cycle.lost'))
 UNION ALL
SELECT DISTINCT 'proposal', e.subject
  FROM event e
 WHERE e.action = 'proposal.added'
   AND e.subject NOT IN (SELECT agent_id || ' ' || cycle_index FROM action_proposal)
   AND substr(e.subject, 1, instr(e.subject, ' ') - 1) IN (SELECT id FROM agent)
   AND NOT EXISTS (SELECT 1 FROM event l
                    WHERE l.subject = e.subject AND l.sequence > e.sequence
                      AND l.action IN ('proposal.lost'))
 UNION ALL
SELECT DISTINCT 'result', e.subject
  FROM event e
 WHERE e.action = 'result.added'
   AND e.subject NOT IN (SELECT agent_id || ' ' || cycle_index FROM action_result)
   AND substr(e.subject, 1, instr(e.subject, ' ') - 1) IN (SELECT id FROM agent)
   AND NOT EXISTS (SELECT 1 FROM event l
                    WHERE l.subject = e.subject AND l.sequence > e.sequence
                      AND l.action IN ('result.lost'))
 UNION ALL
SELECT DISTINCT 'namespace', e.subject
  FROM event e
 WHERE e.action = 'namespace.put'
   AND e.subject NOT IN (SELECT memory_id || ' ' || agent_id || ' ' || lower(hex(row_hash)) FROM memory_index)
   AND substr(e.subject, 1, instr(e.subject, ' ') - 1) IN (SELECT id FROM memory)
   AND NOT EXISTS (SELECT 1 FROM event l
                    WHERE l.subject = e.subject AND l.sequence > e.sequence
                      AND l.action IN ('namespace.removed', 'namespace.lost'))
 UNION ALL
SELECT DISTINCT 'ciphertext', e.subject
  FROM event e
 WHERE e.action = 'ciphertext.put' AND e.subject NOT IN (SELECT record FROM ciphertext)
   AND substr(e.subject || ' ', 1, instr(e.subject || ' ', ' ') - 1) IN
       (SELECT id FROM memory UNION ALL SELECT id FROM agent)
   AND NOT EXISTS (SELECT 1 FROM event l
                    WHERE l.subject = e.subject AND l.sequence > e.sequence
                      AND l.action = 'ciphertext.lost')
 UNION ALL
SELECT DISTINCT 'decision', e.subject
  FROM event e
 WHERE e.action = 'decision.put' AND e.subject NOT IN (SELECT id FROM decision)
   AND NOT EXISTS (SELECT 1 FROM event l WHERE l.subject = e.subject AND l.action = 'decision.lost')
 UNION ALL
SELECT DISTINCT 'span', e.subject
  FROM event e
 WHERE e.action = 'span.put' AND e.subject NOT IN (SELECT id FROM span)
   AND NOT EXISTS (SELECT 1 FROM event l
                    WHERE l.subject = e.subject AND l.sequence > e.sequence
                      AND l.action IN ('span.forgotten', 'span.lost'))
 UNION ALL
SELECT DISTINCT 'weights', e.subject
  FROM event e
 WHERE e.action = 'weights.put'
   AND e.subject NOT IN (SELECT space || ' ' || version FROM tuning)
   AND NOT EXISTS (SELECT 1 FROM event l WHERE l.subject = e.subject AND l.action = 'weights.lost')
 UNION ALL
SELECT DISTINCT 'anchor', e.subject
  FROM event e
 WHERE e.action = 'anchor.put' AND e.subject NOT IN (SELECT span_id FROM span_anchor)
   AND e.subject IN (SELECT id FROM span)
   AND NOT EXISTS (SELECT 1 FROM event l
                    WHERE l.subject = e.subject AND l.sequence > e.sequence
                      AND l.action IN ('anchor.removed', 'anchor.lost', 'span.forgotten',
                                       'span.lost'))
 UNION ALL
SELECT DISTINCT 'standpoint', e.subject
  FROM event e
 WHERE e.action = 'standpoint.put' AND e.subject NOT IN (SELECT subject FROM standpoint)
   AND (e.subject IN (SELECT id FROM memory) OR e.subject IN (SELECT id FROM session)
        OR e.subject GLOB 't_*')
   AND NOT EXISTS (SELECT 1 FROM event l
                    WHERE l.subject = e.subject AND l.sequence > e.sequence
                      AND l.action IN ('standpoint.removed', 'standpoint.lost', 'session.lost',
                                       'memory.lost'))
 UNION ALL
SELECT DISTINCT 'rewrite', e.subject
  FROM event e
 WHERE e.action = 'rewrite.put'
   AND e.subject NOT IN (SELECT repo || ' ' || old FROM rewrite)
   AND NOT EXISTS (SELECT 1 FROM event l
                    WHERE l.subject = e.subject AND l.sequence > e.sequence
                      AND l.action = 'rewrite.lost')
 UNION ALL
SELECT DISTINCT 'link', e.subject
  FROM event e
 WHERE e.action = 'link.put'
   AND e.subject NOT IN (SELECT src || ' ' || dst || ' ' || kind FROM memory_link)
   AND NOT EXISTS (SELECT 1 FROM event l
                    WHERE l.subject = e.subject AND l.sequence > e.sequence
                      AND l.action IN ('link.removed', 'link.lost'))
   AND substr(e.subject, 1, instr(e.subject, ' ') - 1) NOT IN (SELECT memory_id FROM tombstone)
   AND substr(e.subject, instr(e.subject, ' ') + 1,
              instr(substr(e.subject, instr(e.subject, ' ') + 1), ' ') - 1)
       NOT IN (SELECT memory_id FROM tombstone);

-- name: forgotten_and_there
SELECT m.id FROM memory m JOIN tombstone t ON t.memory_id = m.id;

-- name: write_copy
-- The copy has no free pages, and a key of its own if its address names one.
VACUUM INTO ?;
