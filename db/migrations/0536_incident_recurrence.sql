-- Likelihood that an incident happens again, which decides the depth of its investigation together with its severity.
ALTER TABLE incident_report ADD COLUMN recurrence text CHECK (recurrence IN ('rare', 'unlikely', 'possible', 'likely', 'certain'));
