-- Who has signed for a talk stands on its list as they signed, whoever asks. A closed record stands as it was closed; who was there
-- and had not signed may still sign, marked late.
ALTER TABLE talk_attendee ADD late boolean NOT NULL DEFAULT false;
-- Whoever presents without an account here.
ALTER TABLE talk_presented ADD presenter_visitor boolean NOT NULL DEFAULT false;

CREATE FUNCTION attendee_stands() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  closed boolean;
BEGIN
  IF TG_OP = 'DELETE' THEN
    SELECT p.complete INTO closed FROM talk_presented p WHERE p.client_id = OLD.client_id AND p.id = OLD.presented_id;
    IF closed THEN
      RAISE EXCEPTION 'the people of a closed talk stand with it' USING ERRCODE = 'integrity_constraint_violation';
    ELSIF FOUND AND OLD.signed_at IS NOT NULL THEN
      RAISE EXCEPTION 'who has signed for a talk stays on its list' USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN OLD;
  END IF;
  IF TG_OP = 'UPDATE' THEN
    IF OLD.signed_at IS NOT NULL AND to_jsonb(NEW) - 'position' <> to_jsonb(OLD) - 'position' THEN
      RAISE EXCEPTION 'a signature for a talk stands' USING ERRCODE = 'integrity_constraint_violation';
    ELSIF (NEW.client_id, NEW.id, NEW.presented_id) <> (OLD.client_id, OLD.id, OLD.presented_id) THEN
      RAISE EXCEPTION 'people stay on the list of their talk' USING ERRCODE = 'integrity_constraint_violation';
    END IF;
  END IF;
  SELECT p.complete INTO closed FROM talk_presented p WHERE p.client_id = NEW.client_id AND p.id = NEW.presented_id;
  IF NOT coalesce(closed, false) THEN
    IF NEW.late THEN
      RAISE EXCEPTION 'nobody is late before a talk is closed' USING ERRCODE = 'integrity_constraint_violation';
    END IF;
  ELSIF NEW.signed_at IS NULL OR NOT NEW.late OR (TG_OP = 'UPDATE' AND (OLD.signed_at IS NOT NULL
      OR (NEW.name, NEW.position, NEW.absence) IS DISTINCT FROM (OLD.name, OLD.position, OLD.absence))) THEN
    RAISE EXCEPTION 'the people of a closed talk stand with it' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
DROP TRIGGER talk_closed ON talk_attendee;
CREATE TRIGGER attendee_stands BEFORE INSERT OR UPDATE OR DELETE ON talk_attendee FOR EACH ROW EXECUTE FUNCTION attendee_stands();

CREATE FUNCTION presented_stands() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  signed boolean := EXISTS (SELECT FROM talk_attendee a WHERE a.client_id = OLD.client_id AND a.presented_id = OLD.id AND a.signed_at IS NOT NULL);
  beside text[] := '{signed,retired,search_text}';
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF OLD.complete OR signed THEN
      RAISE EXCEPTION 'a talk that people have signed for stands' USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN OLD;
  ELSIF OLD.complete AND (NEW.signed < OLD.signed OR to_jsonb(NEW) - beside <> to_jsonb(OLD) - beside) THEN
    RAISE EXCEPTION 'a closed talk stands as it is' USING ERRCODE = 'integrity_constraint_violation';
  ELSIF NEW.talk_id <> OLD.talk_id AND signed THEN
    RAISE EXCEPTION 'people have signed for this talk and for no other' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER presented_stands BEFORE UPDATE OR DELETE ON talk_presented FOR EACH ROW EXECUTE FUNCTION presented_stands();
