-- What the approval of a revision said about what it changes: a material change is signed anew, a minor one carries what was
-- signed over. What was approved before was signed anew each time.
ALTER TABLE document ADD COLUMN change text CHECK (change IN ('material', 'minor'));

-- It is said once, with the approval.
CREATE FUNCTION document_change_stands() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.approved OR NOT NEW.approved THEN
    RAISE EXCEPTION 'what an approval said of a change stands' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER document_change_stands BEFORE UPDATE ON document FOR EACH ROW
  WHEN (OLD.change IS DISTINCT FROM NEW.change) EXECUTE FUNCTION document_change_stands();
