-- How often something was tried within its span of time: counted in one statement before it is done, so that no two tries pass as one.
DROP TABLE login_attempt;
CREATE TABLE attempt (
  key text PRIMARY KEY, tries int NOT NULL, since timestamptz NOT NULL, lasts interval NOT NULL,
  at timestamptz NOT NULL, former_at timestamptz);
SELECT secret_table('attempt');

-- Browsers that somebody has signed in with before: what others try from elsewhere never keeps them out.
CREATE TABLE known_device (
  client_id int NOT NULL, user_id bigint NOT NULL, hash text NOT NULL, used_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (client_id, user_id, hash),
  FOREIGN KEY (client_id, user_id) REFERENCES user_account (client_id, id) ON DELETE CASCADE);
SELECT secret_table('known_device');

-- An invitation and a link for somebody who has forgotten are two things: neither ends the other.
ALTER TABLE password_reset ADD COLUMN kind text NOT NULL DEFAULT 'reset' CHECK (kind IN ('reset', 'invite'));
ALTER TABLE password_reset ALTER COLUMN kind DROP DEFAULT;
CREATE INDEX password_reset_person ON password_reset (client_id, user_id);
