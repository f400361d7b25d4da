-- What an outbox row asks for is handed on to a lane, once; whether it has been done is the lane's to know.
DROP INDEX outbox_due;
ALTER TABLE outbox ADD COLUMN version int NOT NULL DEFAULT 1, ADD COLUMN relayed_at timestamptz;
UPDATE outbox SET relayed_at = coalesce(done_at, now()) WHERE done_at IS NOT NULL OR attempts >= 8;
ALTER TABLE outbox DROP COLUMN not_before, DROP COLUMN done_at, DROP COLUMN attempts, DROP COLUMN error;
CREATE INDEX outbox_waiting ON outbox (client_id, id) WHERE relayed_at IS NULL;

-- A letter is kept once, however often its sending is tried.
ALTER TABLE message ADD COLUMN letter bigint;
CREATE UNIQUE INDEX message_letter ON message (client_id, letter);

-- The last time of each schedule that was handed on to its lane, and the last day that was done for each client.
CREATE TABLE schedule (name text PRIMARY KEY, slot text NOT NULL);
SELECT shared_table('schedule');
CREATE TABLE schedule_client (
  client_id int NOT NULL REFERENCES client (id), name text NOT NULL, day date NOT NULL,
  PRIMARY KEY (client_id, name));
SELECT tenant_table('schedule_client');
