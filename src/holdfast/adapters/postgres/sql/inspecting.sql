-- name: unprotected_tables
-- Tables whose rows are not kept apart: no forced row level security, or no policy that checks what
-- is read and what is written; and views that read with the rights of their owner. A policy that
-- only lets the role for people's own SQL read is not counted.
SELECT c.relname
  FROM pg_class c
 WHERE c.relnamespace = 'holdfast'::regnamespace AND c.relkind IN ('r', 'p')
   AND c.relname <> 'schema_version'
   AND (NOT c.relrowsecurity OR NOT c.relforcerowsecurity
        OR NOT EXISTS (SELECT 1 FROM pg_policy p
                        WHERE p.polrelid = c.oid
                          AND p.polqual IS NOT NULL AND p.polwithcheck IS NOT NULL)
        OR (SELECT count(*) FROM pg_policy p
             WHERE p.polrelid = c.oid
               AND NOT (p.polcmd = 'r' AND coalesce(
                        p.polroles = ARRAY[to_regrole('holdfast_reader')::oid], false))) <> 1)
 UNION ALL
SELECT c.relname
  FROM pg_class c
 WHERE c.relnamespace = 'holdfast'::regnamespace
   AND (c.relkind = 'm'
        OR (c.relkind = 'v'
            AND NOT coalesce('security_invoker=true' = ANY (c.reloptions), false)))
 ORDER BY 1;
