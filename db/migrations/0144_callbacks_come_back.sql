-- What ended the notice of a callback can be taken back: another owner, an outcome, a lead put away. Then it waits again, read or unread as it was.
CREATE FUNCTION callback_waits_again() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE notice n SET ended_at = NULL, read_at = CASE WHEN n.read_at = n.ended_at THEN NULL ELSE n.read_at END
  FROM staff s
  WHERE s.client_id = NEW.client_id AND s.id = NEW.owner_id
    AND n.client_id = NEW.client_id AND n.user_id = s.user_id AND n.kind = 'lead.callback' AND n.about = NEW.id
    AND n.since = NEW.callback_date AND n.ended_at IS NOT NULL;
  RETURN NULL;
END $$;
-- By its name after notices_end_lead_callback: what ends by the same change has ended by then.
CREATE TRIGGER notices_wait_lead_callback AFTER UPDATE ON contact FOR EACH ROW
  WHEN (NEW.callback_date <= portal_now() AND NEW.owner_id IS NOT NULL AND NOT NEW.retired AND NOT NEW.do_not_call
    AND (NEW.callback_date IS DISTINCT FROM OLD.callback_date OR NEW.owner_id IS DISTINCT FROM OLD.owner_id OR OLD.retired OR OLD.do_not_call))
  EXECUTE FUNCTION callback_waits_again();
