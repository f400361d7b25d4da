-- What an account is called, as it is looked for: stored, since the database does not use an index over a function of its own
-- where a rule about rows stands before it.
ALTER TABLE user_account
  ADD COLUMN folded_name text GENERATED ALWAYS AS (folded_name(name)) STORED,
  ADD COLUMN folded_username text GENERATED ALWAYS AS (lower(username)) STORED;
DROP INDEX user_account_called;
CREATE INDEX user_account_called ON user_account (client_id, folded_name) WHERE NOT is_retired;
CREATE INDEX user_account_known ON user_account (client_id, folded_username) WHERE NOT is_retired;
