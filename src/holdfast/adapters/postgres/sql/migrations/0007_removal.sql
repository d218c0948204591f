-- The removal of a tenant with many stores. A statement sees the rows of one store, so every table
-- is visited once for each store; a function with fixed statements does that in the server, with
-- plans that are made once.
--
-- The functions are written from the catalogue. An upgrade writes them again after its last
-- migration, so that they know every table. They run with the rights of the caller: row level
-- security binds them.

CREATE FUNCTION write_removal() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    removing text := '';
    counting text := '';
    found record;
BEGIN
    -- A table comes before those it refers to. The rows of a store refer to no other store.
    FOR found IN
        WITH RECURSIVE own AS (
            SELECT c.oid, c.relname FROM pg_class c
             WHERE c.relnamespace = 'holdfast'::regnamespace AND c.relkind IN ('r', 'p')
               AND NOT c.relispartition
               AND EXISTS (SELECT 1 FROM pg_attribute a
                            WHERE a.attrelid = c.oid AND a.attname = 'store_id' AND a.attnum > 0)),
        deep AS (
            SELECT oid, relname, 0 AS depth FROM own
            UNION
            SELECT o.oid, o.relname, d.depth + 1
              FROM deep d
              JOIN pg_constraint k ON k.contype = 'f' AND k.conrelid = d.oid
              JOIN own o ON o.oid = k.confrelid AND o.oid <> d.oid)
        SELECT relname AS name, max(depth) AS depth FROM deep GROUP BY relname
         ORDER BY depth, name
    LOOP
        removing := removing || format(
            'DELETE FROM holdfast.%I WHERE tenant_id = holdfast.current_tenant()'
            ' AND store_id = holdfast.current_store();'
            ' GET DIAGNOSTICS many = ROW_COUNT;'
            ' IF many > 0 THEN name := %L; removed := many; RETURN NEXT; END IF; ',
            found.name, found.name);
        counting := counting || format(
            'IF EXISTS (SELECT 1 FROM holdfast.%I WHERE tenant_id = holdfast.current_tenant()'
            ' AND store_id = holdfast.current_store()) THEN name := %L; RETURN NEXT; END IF; ',
            found.name, found.name);
    END LOOP;
    EXECUTE 'CREATE OR REPLACE FUNCTION holdfast.remove_stores(stores uuid[])'
        ' RETURNS TABLE (name text, removed bigint) LANGUAGE plpgsql AS $body$'
        ' DECLARE one uuid; many bigint; BEGIN FOREACH one IN ARRAY stores LOOP'
        ' PERFORM set_config(''app.current_store_id'', one::text, true); '
        || removing || 'END LOOP; END $body$';
    EXECUTE 'CREATE OR REPLACE FUNCTION holdfast.left_in_stores(stores uuid[])'
        ' RETURNS TABLE (name text) LANGUAGE plpgsql AS $body$'
        ' DECLARE one uuid; BEGIN FOREACH one IN ARRAY stores LOOP'
        ' PERFORM set_config(''app.current_store_id'', one::text, true); '
        || counting || 'END LOOP; END $body$';
END
$$;

SELECT write_removal();
DROP FUNCTION remove_rows(text);
DROP FUNCTION count_rows(text);

INSERT INTO schema_version (number) VALUES (7);
