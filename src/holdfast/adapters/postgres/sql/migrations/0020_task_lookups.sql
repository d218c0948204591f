-- A lookup of a task by its id has one index that fits.
--
-- Before the first ANALYZE of its tenant the server takes a plan for a single task. Then every index
-- that begins with the tenant costs the same, and tasks were looked up in task_tally, which is the
-- smallest and has all of them. No count is negative; only the statements that count, or that list
-- tasks in the order of this index, say so.

DROP INDEX task_tally;
CREATE INDEX task_tally ON task_index (tenant_id, repo, store_id, status, waits_for, aside)
    WHERE waits_for >= 0;

INSERT INTO schema_version (number) VALUES (20);
