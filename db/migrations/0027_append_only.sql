-- What is written stays: rows are added to such a table and nothing else, not even by its owner.
CREATE FUNCTION append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'what is in % is never changed or removed', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;

CREATE FUNCTION append_only_table(t regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('REVOKE UPDATE, DELETE ON %s FROM stanchion_tenant, stanchion_system', t);
  EXECUTE format('CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON %s FOR EACH STATEMENT EXECUTE FUNCTION append_only()', t);
END $$;

SELECT append_only_table('audit');
SELECT append_only_table('seal');
SELECT append_only_table('signature');
