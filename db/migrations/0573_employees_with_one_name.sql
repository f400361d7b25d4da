ALTER TABLE employee ADD COLUMN keep_both boolean NOT NULL DEFAULT false;
CREATE INDEX employee_born ON employee (client_id, dob) WHERE dob IS NOT NULL;
