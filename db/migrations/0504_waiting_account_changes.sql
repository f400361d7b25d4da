-- Roles over money and people, and new e-mail addresses of their holders, that one person gave and that apply the next
-- day or once a second administrator confirms them.
ALTER TABLE user_account
  ADD waiting_roles text[] NOT NULL DEFAULT '{}', ADD waiting_email text NOT NULL DEFAULT '',
  ADD waiting_until timestamptz, ADD waiting_by text NOT NULL DEFAULT '',
  ADD CHECK ((waiting_until IS NULL) = (waiting_by = '')),
  ADD CHECK (waiting_until IS NOT NULL OR (waiting_roles = '{}' AND waiting_email = ''));
CREATE INDEX user_account_waiting ON user_account (client_id, waiting_until) WHERE waiting_until IS NOT NULL;

SELECT notices_end('account.waiting', 'user_account', $$OLD.waiting_until IS NOT NULL AND NEW.waiting_until IS NULL$$);
