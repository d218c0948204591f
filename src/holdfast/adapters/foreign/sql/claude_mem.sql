-- name: tables
SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name;

-- name: observations
-- Every column: the columns differ from version to version, and those we miss are named.
SELECT * FROM observations ORDER BY id;

-- name: summaries
SELECT * FROM session_summaries ORDER BY id;
