-- Notice, service and source of a kind of leave, as data from the reference file.
ALTER TABLE leave_kind DROP COLUMN notice_days,
  ADD COLUMN notice_text text NOT NULL DEFAULT '', ADD COLUMN link text NOT NULL DEFAULT '', ADD COLUMN rule jsonb;

-- Facts of leave other than annual leave. They are confidential.
ALTER TABLE leave_request
  ADD COLUMN event_on date CHECK (event_on BETWEEN '1950-01-01' AND '2200-12-31'),
  ADD COLUMN notice_on date CHECK (notice_on BETWEEN '1950-01-01' AND '2200-12-31'),
  ADD COLUMN details text NOT NULL DEFAULT '';

CREATE INDEX leave_request_other ON leave_request (client_id, employee_id, last_day) WHERE NOT deducted AND state = 'approved';
