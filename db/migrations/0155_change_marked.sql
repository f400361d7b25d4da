-- Whoever completes a revision may mark what kind of change it is; the approval then says it for good, as its author has marked it or otherwise.
CREATE OR REPLACE FUNCTION document_change_stands() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.approved OR (OLD.state <> 'draft' AND NOT NEW.approved) THEN
    RAISE EXCEPTION 'what an approval said of a change stands' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
