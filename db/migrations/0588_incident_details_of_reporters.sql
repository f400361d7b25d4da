-- The reporter of an incident sees its health details until another user enters details.
ALTER TABLE incident_person ADD COLUMN details_by_id bigint,
  ADD FOREIGN KEY (client_id, details_by_id) REFERENCES user_account (client_id, id);
ALTER TABLE incident_report ADD COLUMN disease_by_id bigint,
  ADD FOREIGN KEY (client_id, disease_by_id) REFERENCES user_account (client_id, id);

-- Nobody else has changed an incident without such an event in its history.
UPDATE incident_report r SET disease_by_id = r.reporter_id
WHERE r.reporter_id IS NOT NULL AND NOT EXISTS (
  SELECT FROM incident_event e
  WHERE e.client_id = r.client_id AND e.report_id = r.id AND e.event = 'Changed' AND e.author <> r.author);
UPDATE incident_person p SET details_by_id = p.reporter_id FROM incident_report r
WHERE r.client_id = p.client_id AND r.id = p.report_id AND r.disease_by_id = p.reporter_id AND p.statement_received_at IS NULL;

-- Who gave a statement by link, and additions to it, stay as well, and the row is not removed.
CREATE OR REPLACE FUNCTION incident_statement_stands() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' OR (OLD.statement, OLD.statement_received_at, OLD.name, OLD.record_type) IS DISTINCT FROM (NEW.statement, NEW.statement_received_at, NEW.name, NEW.record_type)
    OR (NEW.retired AND NOT OLD.retired) OR NOT starts_with(coalesce(NEW.statement_addition, ''), coalesce(OLD.statement_addition, '')) THEN
    RAISE EXCEPTION 'a statement received by link stands as it was given' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
