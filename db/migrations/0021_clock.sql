-- The portal's time: the real one, or, in a demo or test world, as much later as somebody has put the clock. Transactions of such
-- a world say so in a setting; where nobody does, this is now().
CREATE FUNCTION portal_now() RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE AS
  $$ SELECT now() + coalesce(nullif(current_setting('app.ahead', true), '')::interval, '0'::interval) $$;

-- One row where the clock may be moved, none in production.
CREATE TABLE clock (only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one), ahead interval NOT NULL DEFAULT '0');
SELECT shared_table('clock');

-- When something was made is told in the portal's time. Sign-in and what hands work on measure real time.
DO $$
DECLARE c record;
BEGIN
  FOR c IN SELECT table_name, column_name FROM information_schema.columns
    WHERE table_schema = 'public' AND column_default = 'now()' AND table_name NOT IN
      ('access_token', 'credential', 'idempotency', 'login_attempt', 'migration', 'outbox', 'password_reset', 'reference_version', 'session', 'visit')
  LOOP
    EXECUTE format('ALTER TABLE %I ALTER COLUMN %I SET DEFAULT portal_now()', c.table_name, c.column_name);
  END LOOP;
END $$;
