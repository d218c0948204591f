-- name: tables
SELECT name FROM sqlite_master WHERE type = 'table';

-- name: sessions
-- All columns: versions have different ones, and the reader reports those that are missing.
SELECT * FROM session;

-- name: messages
SELECT * FROM message WHERE session_id = :session ORDER BY id;

-- name: parts
-- Ids begin with the time, so they sort in the order of the conversation.
SELECT * FROM part WHERE session_id = :session ORDER BY message_id, id;
