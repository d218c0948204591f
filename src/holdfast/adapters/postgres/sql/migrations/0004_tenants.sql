-- The tenants by name. A tenant is listed when it gets its first store. The owner of the tables
-- may list all of them; the application role sees its own tenant only, as everywhere.

CREATE TABLE tenant (
    tenant_id  uuid NOT NULL DEFAULT current_tenant(),
    name       text COLLATE "C" NOT NULL DEFAULT '',
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id)
);

ALTER TABLE tenant ENABLE ROW LEVEL SECURITY;
ALTER TABLE tenant FORCE ROW LEVEL SECURITY;

CREATE FUNCTION is_owner() RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE
    RETURN (SELECT c.relowner = current_user::regrole FROM pg_class c
             WHERE c.oid = to_regclass('holdfast.tenant'));

CREATE POLICY isolation ON tenant
    USING (tenant_id = current_tenant() OR is_owner())
    WITH CHECK (tenant_id = current_tenant());

GRANT SELECT, INSERT, UPDATE, DELETE ON tenant TO holdfast_app;

CREATE FUNCTION list_tenant() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO holdfast.tenant (tenant_id) VALUES (NEW.tenant_id) ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;

CREATE TRIGGER list_tenant AFTER INSERT ON memory_stores
    FOR EACH ROW EXECUTE FUNCTION list_tenant();

-- The removal of a tenant: the rows of one table in the store that the transaction has set. Both
-- functions run with the rights of the caller, so row level security binds them.

CREATE FUNCTION remove_rows(name text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    removed bigint;
BEGIN
    EXECUTE format('DELETE FROM holdfast.%I WHERE tenant_id = $1', name)
      USING holdfast.current_tenant();
    GET DIAGNOSTICS removed = ROW_COUNT;
    RETURN removed;
END
$$;

CREATE FUNCTION count_rows(name text) RETURNS bigint LANGUAGE plpgsql STABLE AS $$
DECLARE
    counted bigint;
BEGIN
    EXECUTE format('SELECT count(*) FROM holdfast.%I WHERE tenant_id = $1', name)
       INTO counted USING holdfast.current_tenant();
    RETURN counted;
END
$$;

INSERT INTO schema_version (number) VALUES (4);
