-- Employees whom records name. An employee who is named can't be deleted.
ALTER TABLE corrective_action ADD COLUMN employee_id bigint,
  ADD FOREIGN KEY (client_id, employee_id) REFERENCES employee (client_id, id);
CREATE INDEX corrective_action_employee ON corrective_action (client_id, employee_id) WHERE employee_id IS NOT NULL;

ALTER TABLE form_schedule ADD COLUMN employee_id bigint,
  ADD FOREIGN KEY (client_id, employee_id) REFERENCES employee (client_id, id);
CREATE INDEX form_schedule_employee ON form_schedule (client_id, employee_id) WHERE employee_id IS NOT NULL;

-- The specification writes 0 for nobody, so that no foreign key is possible. Earlier numbers referred to nothing.
CREATE INDEX risk_item_responsibility ON risk_item (client_id, responsibility) WHERE responsibility <> 0;
CREATE FUNCTION employee_responsible() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM risk_item r WHERE r.client_id = OLD.client_id AND r.responsibility <> 0 AND r.responsibility = OLD.id) THEN
    RAISE foreign_key_violation USING MESSAGE = 'the employee is responsible for a line of a risk assessment',
      TABLE = 'risk_item', CONSTRAINT = 'risk_item_responsibility_fkey';
  END IF;
  RETURN OLD;
END $$;
CREATE TRIGGER employee_responsible BEFORE DELETE ON employee FOR EACH ROW EXECUTE FUNCTION employee_responsible();
