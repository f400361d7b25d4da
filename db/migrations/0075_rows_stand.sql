-- A row stands with the sealed document that it leaves, too: not only with the one that it would come to.
CREATE OR REPLACE FUNCTION document_rows_sealed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (TG_OP <> 'INSERT' AND EXISTS (SELECT FROM document d WHERE d.client_id = OLD.client_id AND d.id = OLD.document_id AND d.seal IS NOT NULL))
     OR (TG_OP <> 'DELETE' AND EXISTS (SELECT FROM document d WHERE d.client_id = NEW.client_id AND d.id = NEW.document_id AND d.seal IS NOT NULL)) THEN
    RAISE EXCEPTION 'the rows of a sealed document stand with it' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE FUNCTION talk_closed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (TG_OP <> 'INSERT' AND EXISTS (SELECT FROM talk_presented p WHERE p.client_id = OLD.client_id AND p.id = OLD.presented_id AND p.complete))
     OR (TG_OP <> 'DELETE' AND EXISTS (SELECT FROM talk_presented p WHERE p.client_id = NEW.client_id AND p.id = NEW.presented_id AND p.complete)) THEN
    RAISE EXCEPTION 'the people of a closed talk stand with it' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
  RETURN NEW;
END $$;
