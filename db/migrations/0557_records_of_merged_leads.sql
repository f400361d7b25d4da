-- A record that is added to a lead waits for a merge of the lead under way, and is then refused like any later one.
CREATE OR REPLACE FUNCTION lead_stands() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE survivor bigint;
BEGIN
  IF NEW.contact_id IS NULL THEN RETURN NEW; END IF;
  SELECT merged_into_id INTO survivor FROM contact WHERE client_id = NEW.client_id AND id = NEW.contact_id FOR KEY SHARE;
  IF survivor IS NOT NULL THEN
    RAISE EXCEPTION 'This lead was merged into lead %. Please open that one; nothing was saved.', survivor USING ERRCODE = 'ST409';
  END IF;
  RETURN NEW;
END $$;
