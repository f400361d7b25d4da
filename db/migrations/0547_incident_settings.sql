-- Settings for reports of incidents: questions that a reporter must answer, and recipients of the notification by severity.
ALTER TABLE client ADD COLUMN incident_required_answers text[] NOT NULL DEFAULT '{}',
  ADD COLUMN incident_recipients jsonb NOT NULL DEFAULT '{}';
-- Questions that the form required when a report was sent, and required answers that the report does not give.
ALTER TABLE incident_report ADD COLUMN form_required text[], ADD COLUMN missing_answers text[] NOT NULL DEFAULT '{}';
