-- The PIN that a person enters beside a signature drawn on another person's device. Only a hash is stored, which also depends on
-- a key outside the database, so that a copy of the database does not allow a search of all six-digit numbers.
CREATE TABLE signing_pin (
  client_id int NOT NULL, user_id bigint NOT NULL, hash text NOT NULL,
  changed_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (client_id, user_id),
  FOREIGN KEY (client_id, user_id) REFERENCES user_account (client_id, id) ON DELETE CASCADE);
SELECT secret_table('signing_pin');

-- Digests of the sealed PINs that have been accepted: each is accepted once.
CREATE TABLE signing_pin_use (
  client_id int NOT NULL REFERENCES client (id), digest text NOT NULL,
  PRIMARY KEY (client_id, digest));
SELECT secret_table('signing_pin_use');
