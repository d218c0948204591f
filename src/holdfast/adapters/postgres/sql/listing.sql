-- name: kinds_reach
-- The number of memories of these kinds; counting stops at the limit.
SELECT count(*) FROM (
    SELECT 1 FROM jsonb_array_elements_text(:kinds::jsonb) AS wanted(value)
     CROSS JOIN LATERAL (
           SELECT 1 FROM memory o WHERE o.kind BETWEEN wanted.value AND wanted.value
            ORDER BY o.kind) m LIMIT :most) few;

-- name: tag_reach
SELECT count(*) FROM (SELECT 1 FROM memory_tag WHERE tag = :tag LIMIT :most) few;

-- name: place_reach
-- The number of memories that can reach a place: those of its repository, and all of a wider scope.
SELECT (SELECT count(*) FROM (SELECT 1 FROM memory m WHERE m.repo = :place_repo LIMIT :most) few)
     + (SELECT count(*) FROM (SELECT 1 FROM memory m WHERE m.scope <> 'repo' LIMIT :most) few);

-- name: list_by_kinds
-- The lists are read from indexes alone; the other conditions of a selection are checked later.
SELECT m.seq
  FROM jsonb_array_elements_text(:kinds::jsonb) AS wanted(value)
 CROSS JOIN LATERAL (
       SELECT o.seq FROM memory o WHERE o.kind BETWEEN wanted.value AND wanted.value
        ORDER BY o.kind) m
 ORDER BY m.seq;

-- name: list_by_tag
SELECT seq FROM memory_tag WHERE tag = :tag ORDER BY seq;

-- name: list_by_place
SELECT m.seq FROM memory m WHERE m.repo = :place_repo
 UNION
SELECT m.seq FROM memory m WHERE m.scope <> 'repo'
 ORDER BY 1;
