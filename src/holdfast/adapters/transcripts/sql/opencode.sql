-- name: tables
SELECT name FROM sqlite_master WHERE type = 'table';

-- name: sessions
-- Every column: other versions have others, and those that are missed are named.
SELECT * FROM session;

-- name: messages
SELECT * FROM message WHERE session_id = :session ORDER BY id;

-- name: parts
-- Ids begin with the time, so their order is that of the conversation.
SELECT * FROM part WHERE session_id = :session ORDER BY message_id, id;
