-- Reference data is the provider's to write: the second wall says so too, whatever a declaration forgets.
CREATE OR REPLACE FUNCTION shared_table(t regclass, writable boolean DEFAULT false) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('GRANT SELECT ON %s TO stanchion_reader, stanchion_tenant', t);
  EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO stanchion_system', t);
  IF writable THEN
    EXECUTE format('GRANT INSERT, UPDATE ON %s TO stanchion_tenant', t);
    PERFORM provider_writes(t);
  END IF;
END $$;

CREATE FUNCTION provider_writes(t regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', t);
  EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', t);
  EXECUTE format('CREATE POLICY reader ON %s FOR SELECT TO stanchion_reader, stanchion_tenant USING (true)', t);
  EXECUTE format('CREATE POLICY provider_adds ON %s FOR INSERT TO stanchion_tenant WITH CHECK (current_client() = 0)', t);
  EXECUTE format('CREATE POLICY provider_changes ON %s FOR UPDATE TO stanchion_tenant USING (current_client() = 0) WITH CHECK (current_client() = 0)', t);
  EXECUTE format('CREATE POLICY system ON %s TO stanchion_system USING (true) WITH CHECK (true)', t);
END $$;

DO $$
DECLARE t regclass;
BEGIN
  FOR t IN
    SELECT c.oid::regclass FROM pg_class c
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND NOT c.relrowsecurity
      AND has_table_privilege('stanchion_tenant', c.oid, 'INSERT')
      AND NOT EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'client_id' AND NOT a.attisdropped)
  LOOP
    PERFORM provider_writes(t);
  END LOOP;
END $$;

-- People report to somebody of their own client: "my team" in a row rule is those who report to me.
ALTER TABLE user_account ADD COLUMN manager_id bigint;
ALTER TABLE user_account ADD FOREIGN KEY (client_id, manager_id) REFERENCES user_account (client_id, id);
CREATE INDEX user_account_manager ON user_account (client_id, manager_id) WHERE manager_id IS NOT NULL;

-- What a client has bought: the parts of the portal that it may use, and those that it may only read any more.
ALTER TABLE client
  ADD COLUMN packs text[] NOT NULL DEFAULT '{safety}',
  ADD COLUMN packs_lapsed text[] NOT NULL DEFAULT '{}';
