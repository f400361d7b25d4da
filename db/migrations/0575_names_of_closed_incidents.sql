-- The name of an incident's site and department when the incident was closed. Incidents that were closed earlier do not
-- state them, and show the present names.
ALTER TABLE incident_report ADD COLUMN site_name text NOT NULL DEFAULT '', ADD COLUMN department_name text NOT NULL DEFAULT '';
