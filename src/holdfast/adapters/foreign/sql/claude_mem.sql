-- name: tables
SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name;

-- name: observations
-- All columns: versions have different ones, and the reader reports those that are missing.
SELECT * FROM observations ORDER BY id;

-- name: summaries
SELECT * FROM session_summaries ORDER BY id;
