-- Whoever is named in the record of a talk, and has not signed, is told so as long as it waits for them.
CREATE FUNCTION talk_waits(a talk_attendee) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT a.user_id IS NOT NULL AND a.signed_at IS NULL AND coalesce(a.absence, '') !~ '\S'
    AND EXISTS (SELECT FROM talk_presented p JOIN document d ON d.client_id = p.client_id AND d.id = p.talk_id
      WHERE p.client_id = a.client_id AND p.id = a.presented_id AND NOT p.complete AND NOT p.retired AND d.current AND NOT d.retired)
$$;

-- Ends the notices of one person of a record, or has them wait again, read or unread as they were: as it stands now.
CREATE FUNCTION talk_notices_settle(a talk_attendee) RETURNS void LANGUAGE plpgsql AS $$
DECLARE waits boolean := talk_waits(a);
BEGIN
  UPDATE notice n SET ended_at = CASE WHEN NOT waits THEN portal_now() END,
    read_at = CASE WHEN NOT waits THEN coalesce(n.read_at, portal_now()) WHEN n.read_at = n.ended_at THEN NULL ELSE n.read_at END
  WHERE n.client_id = a.client_id AND n.user_id = a.user_id AND n.kind = 'talk.sign' AND n.about = a.id AND (n.ended_at IS NULL) <> waits;
END $$;

CREATE FUNCTION attendee_settles() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN PERFORM talk_notices_settle(NEW); END IF;
  IF TG_OP = 'DELETE' OR OLD.user_id IS DISTINCT FROM NEW.user_id THEN
    UPDATE notice SET ended_at = portal_now(), read_at = coalesce(read_at, portal_now())
    WHERE client_id = OLD.client_id AND user_id = OLD.user_id AND kind = 'talk.sign' AND about = OLD.id AND ended_at IS NULL;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER notices_of_attendee AFTER UPDATE ON talk_attendee FOR EACH ROW
  WHEN (OLD.user_id IS NOT NULL AND (NEW.user_id IS DISTINCT FROM OLD.user_id OR (NEW.signed_at IS NULL) <> (OLD.signed_at IS NULL) OR NEW.absence IS DISTINCT FROM OLD.absence))
  EXECUTE FUNCTION attendee_settles();
CREATE TRIGGER notices_of_struck AFTER DELETE ON talk_attendee FOR EACH ROW WHEN (OLD.user_id IS NOT NULL) EXECUTE FUNCTION attendee_settles();

CREATE FUNCTION presented_settles() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM talk_notices_settle(a) FROM talk_attendee a WHERE a.client_id = NEW.client_id AND a.presented_id = NEW.id AND a.user_id IS NOT NULL AND a.signed_at IS NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER notices_of_presented AFTER UPDATE ON talk_presented FOR EACH ROW
  WHEN (NEW.complete <> OLD.complete OR NEW.retired <> OLD.retired) EXECUTE FUNCTION presented_settles();

CREATE FUNCTION talk_settles() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM talk_notices_settle(a) FROM talk_presented p JOIN talk_attendee a ON a.client_id = p.client_id AND a.presented_id = p.id
  WHERE p.client_id = NEW.client_id AND p.talk_id = NEW.id AND NOT p.complete AND a.user_id IS NOT NULL AND a.signed_at IS NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER notices_of_talk AFTER UPDATE ON document FOR EACH ROW
  WHEN (NEW.kind = 'toolbox_talk' AND (NEW.current <> OLD.current OR NEW.retired <> OLD.retired)) EXECUTE FUNCTION talk_settles();

-- Where somebody is named and has not signed.
CREATE INDEX talk_attendee_waits ON talk_attendee (client_id, user_id, id DESC) WHERE user_id IS NOT NULL AND signed_at IS NULL;

-- What waits already.
SET LOCAL ROLE stanchion_system;
INSERT INTO notice (client_id, user_id, kind, about, since)
  SELECT a.client_id, a.user_id, 'talk.sign', a.id, p.created_at FROM talk_attendee a
  JOIN talk_presented p ON p.client_id = a.client_id AND p.id = a.presented_id
  JOIN user_account u ON u.client_id = a.client_id AND u.id = a.user_id AND NOT u.is_retired
  WHERE talk_waits(a);
SET LOCAL ROLE NONE;
