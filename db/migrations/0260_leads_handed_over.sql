-- Who takes the leads over of somebody who works none any more: said with it, by whichever door, and done in the same transaction.
ALTER TABLE user_account ADD hand_to_id bigint, ADD hand_to_team boolean NOT NULL DEFAULT false,
  ADD FOREIGN KEY (client_id, hand_to_id) REFERENCES user_account (client_id, id);
ALTER TABLE staff ADD hand_to_id bigint, ADD hand_to_team boolean NOT NULL DEFAULT false,
  ADD FOREIGN KEY (client_id, hand_to_id) REFERENCES staff (client_id, id);
CREATE INDEX user_account_hand_to ON user_account (client_id, hand_to_id) WHERE hand_to_id IS NOT NULL;
CREATE INDEX staff_hand_to ON staff (client_id, hand_to_id) WHERE hand_to_id IS NOT NULL;

-- Gives leads to somebody, or to nobody, and says so in the notes of those that are worked.
CREATE FUNCTION hand_leads_over(client int, leaver bigint, heir bigint) RETURNS void LANGUAGE sql AS $$
  WITH moved AS (
    UPDATE contact SET owner_id = heir, updated_at = portal_now() WHERE client_id = client AND owner_id = leaver RETURNING id, retired)
  INSERT INTO note (client_id, contact_id, notes, last_result_id, automatic, timestamp)
    SELECT client, m.id, 'Owner: ' || l.name || ' → ' || coalesce(h.name, 'blank') || E'\n' || l.name || ' works no leads any more.',
      (SELECT id FROM last_result WHERE id = 40), true, portal_now()
    FROM moved m JOIN staff l ON l.client_id = client AND l.id = leaver LEFT JOIN staff h ON h.client_id = client AND h.id = heir
    WHERE NOT m.retired
$$;

CREATE FUNCTION leads_handed_over() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE open int; agreed int;
BEGIN
  IF NEW.hand_to_id IS NOT NULL THEN
    PERFORM FROM staff WHERE client_id = NEW.client_id AND id = NEW.hand_to_id AND id <> NEW.id AND NOT retired AND NOT tray FOR SHARE;
    IF NOT FOUND THEN
      RAISE EXCEPTION 'Leads can be handed over to somebody who works leads only.' USING ERRCODE = 'ST409';
    END IF;
  ELSIF NOT NEW.hand_to_team THEN
    SELECT count(*), count(callback_date) INTO open, agreed FROM contact WHERE client_id = NEW.client_id AND owner_id = NEW.id AND NOT retired;
    IF open > 0 THEN
      RAISE EXCEPTION '% has % and %. Please say who takes them over.', NEW.name,
        open || CASE open WHEN 1 THEN ' lead' ELSE ' leads' END, agreed || CASE agreed WHEN 1 THEN ' callback' ELSE ' callbacks' END
        USING ERRCODE = 'ST409', DETAIL = 'leads_left';
    END IF;
  END IF;
  PERFORM hand_leads_over(NEW.client_id, NEW.id, NEW.hand_to_id);
  RETURN NULL;
END $$;
CREATE TRIGGER leads_handed_over AFTER UPDATE OF retired ON staff FOR EACH ROW
  WHEN (NEW.retired AND NOT OLD.retired AND NOT NEW.tray) EXECUTE FUNCTION leads_handed_over();

-- The record of staff learns from its account who takes over.
CREATE OR REPLACE FUNCTION staff_follow() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  works boolean := 'ROLE_STAFF' = ANY (NEW.roles) AND NOT NEW.is_retired;
  worked boolean := TG_OP = 'UPDATE' AND 'ROLE_STAFF' = ANY (OLD.roles) AND NOT OLD.is_retired;
  theirs bigint;
  heir bigint;
BEGIN
  SELECT id INTO theirs FROM staff WHERE client_id = NEW.client_id AND user_id = NEW.id;
  IF theirs IS NOT NULL THEN
    IF NEW.hand_to_id IS NOT NULL AND NOT works THEN
      SELECT id INTO heir FROM staff WHERE client_id = NEW.client_id AND user_id = NEW.hand_to_id;
      IF heir IS NULL THEN
        RAISE EXCEPTION 'Leads can be handed over to somebody who works leads only.' USING ERRCODE = 'ST409';
      END IF;
    END IF;
    UPDATE staff SET name = NEW.name,
        username = CASE WHEN TG_OP = 'UPDATE' AND NEW.username <> OLD.username THEN staff_username(NEW.client_id, NEW.username, theirs) ELSE username END,
        hand_to_id = CASE WHEN works <> worked THEN heir ELSE hand_to_id END,
        hand_to_team = CASE WHEN works <> worked THEN NEW.hand_to_team AND NOT works ELSE hand_to_team END,
        retired = CASE WHEN works <> worked OR NEW.is_retired THEN NOT works ELSE retired END
      WHERE client_id = NEW.client_id AND id = theirs;
  ELSIF works THEN
    INSERT INTO staff (client_id, username, name, user_id)
      VALUES (NEW.client_id, staff_username(NEW.client_id, NEW.username, NULL), NEW.name, NEW.id);
  END IF;
  RETURN NULL;
END $$;

-- Nobody is given a lead who works none; who retires meanwhile waits for it, and hands it over with the others.
CREATE FUNCTION lead_owner_works() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE owner staff;
BEGIN
  SELECT * INTO owner FROM staff WHERE client_id = NEW.client_id AND id = NEW.owner_id FOR SHARE;
  IF owner.retired AND NOT owner.tray THEN
    RAISE EXCEPTION '% works no leads any more. Please choose another owner.', owner.name USING ERRCODE = 'ST409';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER lead_owner_works AFTER UPDATE OF owner_id ON contact FOR EACH ROW
  WHEN (NEW.owner_id IS NOT NULL AND NEW.owner_id IS DISTINCT FROM OLD.owner_id) EXECUTE FUNCTION lead_owner_works();
CREATE FUNCTION lead_owners_work() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE leaver text;
BEGIN
  SELECT s.name INTO leaver FROM staff s
    WHERE (s.client_id, s.id) IN (SELECT client_id, owner_id FROM added WHERE owner_id IS NOT NULL) AND s.retired AND NOT s.tray LIMIT 1;
  IF leaver IS NOT NULL THEN
    RAISE EXCEPTION '% works no leads any more. Please choose another owner.', leaver USING ERRCODE = 'ST409';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER lead_owners_work AFTER INSERT ON contact REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION lead_owners_work();

-- Leads of those who left before anybody was asked: nobody's, and their notes say whose they were.
SELECT hand_leads_over(s.client_id, s.id, NULL) FROM staff s WHERE s.retired AND NOT s.tray;
