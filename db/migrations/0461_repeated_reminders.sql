-- A reminder that did not reach the customer can be repeated by hand on the same day. Automatic reminders are still sent
-- at most once a day.
DROP INDEX dunning_step_daily;
CREATE UNIQUE INDEX dunning_step_daily ON dunning_step (client_id, dunning_id, day) WHERE kind = 'reminder' AND author = 'system';
