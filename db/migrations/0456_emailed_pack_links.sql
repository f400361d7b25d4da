-- Links to packs that are e-mailed by the portal. Each e-mail has a secret of its own, made when the e-mail is sent, so that
-- an e-mail that was sent again does not end the link of the one before.
ALTER TABLE pack_link
  ADD COLUMN person text NOT NULL DEFAULT '',
  ADD COLUMN company text NOT NULL DEFAULT '',
  ADD COLUMN email text NOT NULL DEFAULT '',
  ADD COLUMN message text NOT NULL DEFAULT '',
  ADD COLUMN hashes text[] NOT NULL DEFAULT '{}',
  ADD COLUMN emailed_at timestamptz;
