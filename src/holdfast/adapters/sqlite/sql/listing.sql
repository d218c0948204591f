-- name: kinds_reach
-- The number of memories of these kinds; counting stops at the limit.
SELECT count(*) FROM (
    SELECT 1 FROM json_each(:kinds) wanted
     CROSS JOIN memory m INDEXED BY memory_kind ON m.kind = wanted.value LIMIT :most);

-- name: tag_reach
SELECT count(*) FROM (SELECT 1 FROM memory_tag WHERE tag = :tag LIMIT :most);

-- name: place_reach
-- The number of memories that can reach a place: those of its repository, and all of a wider scope.
SELECT (SELECT count(*) FROM (SELECT 1 FROM memory m INDEXED BY memory_repo
                               WHERE m.repo = :place_repo LIMIT :most))
     + (SELECT count(*) FROM (SELECT 1 FROM memory m INDEXED BY memory_wide
                               WHERE m.scope <> 'repo' LIMIT :most));

-- name: list_by_kinds
-- The lists are read from indexes alone; the other conditions of a selection are checked later.
SELECT m.seq
  FROM json_each(:kinds) wanted
 CROSS JOIN memory m INDEXED BY memory_kind ON m.kind = wanted.value
 ORDER BY m.seq;

-- name: list_by_tag
SELECT seq FROM memory_tag WHERE tag = :tag ORDER BY seq;

-- name: list_by_place
SELECT m.seq FROM memory m INDEXED BY memory_repo WHERE m.repo = :place_repo
 UNION
SELECT m.seq FROM memory m INDEXED BY memory_wide WHERE m.scope <> 'repo'
 ORDER BY 1;
