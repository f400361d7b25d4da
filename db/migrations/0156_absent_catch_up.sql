-- Who was absent when a talk was presented catches up once the record is closed: it waits for them while the talk is in force, until they
-- have signed it, there or elsewhere.
CREATE OR REPLACE FUNCTION talk_waits(a talk_attendee) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT a.user_id IS NOT NULL AND a.signed_at IS NULL
    AND EXISTS (SELECT FROM talk_presented p JOIN document d ON d.client_id = p.client_id AND d.id = p.talk_id
      WHERE p.client_id = a.client_id AND p.id = a.presented_id AND NOT p.retired AND d.current AND NOT d.retired
        AND p.complete = (coalesce(a.absence, '') ~ '\S')
        AND NOT (p.complete AND EXISTS (SELECT FROM signature s
          WHERE s.client_id = d.client_id AND s.document_id = d.id AND s.user_id = a.user_id AND s.mine AND NOT s.again)))
$$;

-- Closed records too: those who were absent wait there.
CREATE OR REPLACE FUNCTION talk_settles() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM talk_notices_settle(a) FROM talk_presented p JOIN talk_attendee a ON a.client_id = p.client_id AND a.presented_id = p.id
  WHERE p.client_id = NEW.client_id AND p.talk_id = NEW.id AND a.user_id IS NOT NULL AND a.signed_at IS NULL;
  RETURN NULL;
END $$;

CREATE FUNCTION caught_up_settles() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM talk_notices_settle(a) FROM talk_presented p JOIN talk_attendee a ON a.client_id = p.client_id AND a.presented_id = p.id
  WHERE p.client_id = NEW.client_id AND p.talk_id = NEW.document_id AND p.complete AND a.user_id = NEW.user_id AND a.signed_at IS NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER notices_of_caught_up AFTER INSERT ON signature FOR EACH ROW WHEN (NEW.mine AND NOT NEW.again) EXECUTE FUNCTION caught_up_settles();

-- What waits already.
SET LOCAL ROLE stanchion_system;
INSERT INTO notice (client_id, user_id, kind, about, since)
  SELECT a.client_id, a.user_id, 'talk.sign', a.id, p.created_at FROM talk_attendee a
  JOIN talk_presented p ON p.client_id = a.client_id AND p.id = a.presented_id AND p.complete
  JOIN user_account u ON u.client_id = a.client_id AND u.id = a.user_id AND NOT u.is_retired
  WHERE talk_waits(a)
  ON CONFLICT (client_id, user_id, kind, about) DO UPDATE SET ended_at = NULL, read_at = NULL;
SET LOCAL ROLE NONE;
