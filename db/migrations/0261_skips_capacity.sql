-- Everybody who has put a lead off for today, and not the last of them alone.
ALTER TABLE contact ADD skip_users jsonb;
UPDATE contact SET skip_users = jsonb_build_array(skip_user_id) WHERE skip_user_id IS NOT NULL AND skip_until > portal_now();
ALTER TABLE contact DROP COLUMN skip_user_id;

-- How many leads somebody works at once: as many are given to them when leads are given out evenly.
ALTER TABLE staff ADD most_leads int;

-- A letter goes to an address once in a batch: of two leads that are made one, each may have had its own.
DROP INDEX message_once_in_run;
UPDATE message m SET run_id = NULL WHERE run_id IS NOT NULL
  AND EXISTS (SELECT FROM message o WHERE (o.client_id, o.run_id, o.recipient) = (m.client_id, m.run_id, m.recipient) AND o.id < m.id);
CREATE UNIQUE INDEX message_once_in_run ON message (client_id, run_id, recipient) WHERE run_id IS NOT NULL;
