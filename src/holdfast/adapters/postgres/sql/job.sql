-- name: add_job
INSERT INTO job (id, kind, made_by, created_at) VALUES ($1, $2, $3, $4);

-- name: add_job_parts
-- The parts are one JSON list; each is its stage and its payload.
INSERT INTO job_part (job, number, stage, payload)
SELECT $1, key, (value ->> 0)::integer, value ->> 1
  FROM jsonb_array_elements($2::jsonb) WITH ORDINALITY AS given(value, key);

-- name: jobs
SELECT j.id, j.kind, j.state, j.made_by, j.created_at, count(p.number),
       count(*) FILTER (WHERE p.state = 'done'),
       count(*) FILTER (WHERE p.state = 'waiting' AND p.lease_until > clock_timestamp()),
       count(*) FILTER (WHERE p.state = 'failed'),
       coalesce(max(p.problem) FILTER (WHERE p.problem <> ''), '')
  FROM job j
  LEFT JOIN job_part p ON p.job = j.id
 GROUP BY j.id, j.kind, j.state, j.made_by, j.created_at
 ORDER BY j.created_at, j.id;

-- name: fail_spent_parts
-- A part whose workers were killed three times would kill every worker.
UPDATE job_part SET state = 'failed', problem = 'Its workers ended three times.'
 WHERE state = 'waiting' AND leases >= 3 AND lease_until < clock_timestamp();

-- name: end_finished_jobs
UPDATE job SET state = 'done'
 WHERE state = 'open'
   AND NOT EXISTS (SELECT 1 FROM job_part p WHERE p.job = job.id AND p.state = 'waiting');

-- name: take_part
-- SKIP LOCKED: a worker that leases a part at the same moment is not waited for. MATERIALIZED: a
-- plan that ran the inner query for each row would lease several parts.
WITH free AS MATERIALIZED (
    SELECT c.job, c.number, j.kind, j.made_by
      FROM job_part c
      JOIN job j ON j.id = c.job AND j.state = 'open'
     WHERE c.state = 'waiting' AND c.leases < 3
       AND (c.lease_until IS NULL OR c.lease_until < clock_timestamp())
       AND ($3::text IS NULL OR c.job = $3)
       AND NOT EXISTS (SELECT 1 FROM job_part e
                        WHERE e.job = c.job AND e.stage < c.stage AND e.state = 'waiting')
     ORDER BY j.created_at, c.job, c.number
     LIMIT 1
       FOR UPDATE OF c SKIP LOCKED)
UPDATE job_part p
   SET worker = $1, token = gen_random_uuid(), leases = p.leases + 1,
       lease_until = clock_timestamp() + make_interval(secs => $2)
  FROM free
 WHERE p.job = free.job AND p.number = free.number
RETURNING p.job, free.kind, p.number, p.token::text, free.made_by, p.payload;

-- name: finish_part
UPDATE job_part p SET state = 'done', payload = '', lease_until = NULL
 WHERE p.job = $1 AND p.number = $2 AND p.token = $3::uuid AND p.state = 'waiting'
   AND EXISTS (SELECT 1 FROM job j WHERE j.id = p.job AND j.state = 'open')
RETURNING 1;

-- name: fail_part
UPDATE job_part
   SET problem = $4, lease_until = NULL,
       state = CASE WHEN leases >= 3 THEN 'failed' ELSE 'waiting' END
 WHERE job = $1 AND number = $2 AND token = $3::uuid AND state = 'waiting';

-- name: cancel_job
UPDATE job SET state = 'cancelled' WHERE id = $1 AND state = 'open' RETURNING 1;

-- name: drop_payloads
UPDATE job_part SET payload = '' WHERE job = $1;
