-- Whose a signature is, and whose hand it was, by account. A bare name is a visitor's: somebody without an account.
-- What was signed before keeps every word of its own; what is added says only what it proves.

-- A name as people tell names apart: not by capitals, spaces or the way an accent is written.
CREATE FUNCTION folded_name(name text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS
$$ SELECT lower(regexp_replace(btrim(normalize(name, NFKC)), '\s+', ' ', 'g')) $$;
CREATE INDEX user_account_called ON user_account (client_id, folded_name(name));

ALTER TABLE signature
  ADD signer_id bigint,
  ADD visitor boolean NOT NULL DEFAULT false,
  -- A further one of the same account under the same revision, from when that was not refused yet.
  ADD again boolean NOT NULL DEFAULT false,
  ADD FOREIGN KEY (client_id, signer_id) REFERENCES user_account (client_id, id);
ALTER TABLE talk_attendee
  ADD user_id bigint,
  ADD signer_id bigint,
  ADD visitor boolean NOT NULL DEFAULT false,
  ADD FOREIGN KEY (client_id, user_id) REFERENCES user_account (client_id, id),
  ADD FOREIGN KEY (client_id, signer_id) REFERENCES user_account (client_id, id);

ALTER TABLE signature DISABLE TRIGGER append_only;
ALTER TABLE talk_attendee DISABLE TRIGGER talk_closed;
GRANT UPDATE ON signature TO stanchion_system;
SET LOCAL ROLE stanchion_system;
UPDATE signature s SET
  signer_id = CASE WHEN s.mine THEN s.user_id
                   WHEN s.method = 'on behalf' THEN (SELECT u.id FROM user_account u WHERE u.client_id = s.client_id AND lower(u.username) = lower(s.author)) END,
  visitor = NOT s.mine AND NOT EXISTS (SELECT FROM user_account u WHERE u.client_id = s.client_id AND folded_name(u.name) = folded_name(s.name)),
  again = s.mine AND s.user_id IS NOT NULL AND EXISTS (
    SELECT FROM signature f WHERE f.client_id = s.client_id AND f.document_id = s.document_id AND f.mine AND f.user_id = s.user_id AND f.id < s.id);
UPDATE talk_attendee a SET
  visitor = NOT EXISTS (SELECT FROM user_account u WHERE u.client_id = a.client_id AND folded_name(u.name) = folded_name(a.name)),
  -- Who has yet to sign is known by name where one account alone has it; what was signed says no more than it did.
  user_id = CASE WHEN a.signed_at IS NULL THEN (
    SELECT min(u.id) FROM user_account u WHERE u.client_id = a.client_id AND NOT u.is_retired AND folded_name(u.name) = folded_name(a.name)
    HAVING count(*) = 1) END;
SET LOCAL ROLE NONE;
REVOKE UPDATE ON signature FROM stanchion_system;
ALTER TABLE signature ENABLE TRIGGER append_only;
ALTER TABLE talk_attendee ENABLE TRIGGER talk_closed;

-- Two people of one name both sign; one account signs once for itself, and is signed for once.
DROP INDEX signature_name;
CREATE UNIQUE INDEX signature_own ON signature (client_id, document_id, user_id) WHERE mine AND NOT again;
CREATE UNIQUE INDEX signature_behalf ON signature (client_id, document_id, user_id) WHERE user_id IS NOT NULL AND method = 'on behalf';
CREATE INDEX signature_document ON signature (client_id, document_id, id);
CREATE UNIQUE INDEX talk_attendee_own ON talk_attendee (client_id, presented_id, user_id)
  WHERE user_id IS NOT NULL AND signer_id = user_id AND signed_at IS NOT NULL;
