-- The finish time and the notes of a talk are signed for as well: they are changed by a correction, and by nothing else.
ALTER TABLE talk_correction ADD COLUMN finish_time text, ADD COLUMN notes text;

CREATE OR REPLACE FUNCTION presented_as_signed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  c talk_correction;
BEGIN
  IF NOT ((OLD.presenter <> '' AND NEW.presenter <> OLD.presenter) OR (OLD.place <> '' AND NEW.place <> OLD.place)
      OR NEW.date <> OLD.date OR (coalesce(OLD.start_time, '') <> '' AND NEW.start_time IS DISTINCT FROM OLD.start_time)
      OR (coalesce(OLD.finish_time, '') <> '' AND NEW.finish_time IS DISTINCT FROM OLD.finish_time) OR (OLD.notes <> '' AND NEW.notes <> OLD.notes))
    OR NOT EXISTS (SELECT FROM talk_attendee a
      WHERE a.client_id = OLD.client_id AND a.presented_id = OLD.id AND a.signed_at IS NOT NULL) THEN
    RETURN NEW;
  END IF;
  SELECT * INTO c FROM talk_correction r WHERE r.client_id = OLD.client_id AND r.presented_id = OLD.id ORDER BY r.id DESC LIMIT 1;
  IF (NEW.presenter, NEW.place, NEW.date, NEW.start_time, NEW.finish_time, NEW.notes) IS DISTINCT FROM
    (coalesce(c.presenter, OLD.presenter), coalesce(c.place, OLD.place), coalesce(c.date, OLD.date), coalesce(c.start_time, OLD.start_time),
      coalesce(c.finish_time, OLD.finish_time), coalesce(c.notes, OLD.notes)) THEN
    RAISE EXCEPTION 'what people signed for stands until it is corrected with a reason' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
