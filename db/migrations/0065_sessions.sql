-- A session ends some day, however busy it is. Those that are open now end within half a day.
ALTER TABLE session ADD COLUMN ends_at timestamptz NOT NULL DEFAULT now() + interval '12 hours';
ALTER TABLE session ALTER COLUMN ends_at DROP DEFAULT;

-- The secrets of a session's cookie, each for one renewal. One that comes again after its time was copied.
CREATE TABLE session_secret (
  client_id int NOT NULL, session_id bigint NOT NULL, hash text NOT NULL, used_at timestamptz,
  PRIMARY KEY (client_id, session_id, hash),
  FOREIGN KEY (client_id, session_id) REFERENCES session (client_id, id) ON DELETE CASCADE);
CREATE UNIQUE INDEX session_secret_hash ON session_secret (hash);
SELECT secret_table('session_secret');
SET LOCAL ROLE stanchion_system;
INSERT INTO session_secret (client_id, session_id, hash) SELECT client_id, id, cookie_hash FROM session WHERE cookie_hash IS NOT NULL;
SET LOCAL ROLE NONE;
ALTER TABLE session DROP COLUMN cookie_hash;

-- Whoever works as somebody else looks first, and writes once they have said why.
ALTER TABLE session ADD COLUMN as_writes boolean NOT NULL DEFAULT false;
ALTER TABLE visit ADD COLUMN writes_from timestamptz, ADD COLUMN write_reason text NOT NULL DEFAULT '';
