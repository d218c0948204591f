-- The level of a task begins at the moment at which the task was added, which needs 63 bits.

ALTER TABLE task_index ALTER COLUMN level TYPE bigint;

INSERT INTO schema_version (number) VALUES (19);
