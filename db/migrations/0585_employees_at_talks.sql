-- Employees at talks. A row of an account names the employee to whom the account belongs; another row names one who was chosen.
ALTER TABLE talk_attendee ADD COLUMN employee_id bigint,
  ADD FOREIGN KEY (client_id, employee_id) REFERENCES employee (client_id, id);
CREATE INDEX talk_attendee_employee ON talk_attendee (client_id, employee_id) WHERE employee_id IS NOT NULL;
CREATE FUNCTION attendee_employee() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.user_id IS NOT NULL AND (TG_OP = 'INSERT' OR OLD.signed_at IS NULL) THEN
    NEW.employee_id := (SELECT e.id FROM employee e WHERE e.client_id = NEW.client_id AND e.user_id = NEW.user_id);
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER attendee_employee BEFORE INSERT OR UPDATE OF user_id ON talk_attendee FOR EACH ROW EXECUTE FUNCTION attendee_employee();

ALTER TABLE talk_presented ADD COLUMN presenter_employee_id bigint,
  ADD FOREIGN KEY (client_id, presenter_employee_id) REFERENCES employee (client_id, id);
CREATE INDEX talk_presented_employee ON talk_presented (client_id, presenter_employee_id) WHERE presenter_employee_id IS NOT NULL;
