-- Every overdue invoice is reminded of by default. Settings that a person has saved are an explicit choice and remain.
ALTER TABLE dunning_settings ALTER remind_all SET DEFAULT true,
  ADD wording jsonb NOT NULL DEFAULT '[]', ADD interest_in_reminders boolean NOT NULL DEFAULT false;
UPDATE dunning_settings s SET remind_all = true WHERE NOT remind_all AND NOT EXISTS (
  SELECT FROM audit a WHERE a.client_id = s.client_id AND a.type = 'DunningSettings' AND a.row_id = s.id AND a.verb = 'update' AND a.user_id <> 0);

-- A promise to pay: kept or broken is calculated from payments since it was recorded. paid_before is the amount paid until then.
ALTER TABLE dunning ADD promised_on date, ADD promised_amount bigint CHECK (promised_amount > 0), ADD paid_before bigint,
  ADD broken_told boolean NOT NULL DEFAULT false, ADD contacted_at timestamptz, ADD notes text NOT NULL DEFAULT '',
  ADD CHECK ((promised_on IS NULL) = (promised_amount IS NULL) AND (promised_on IS NULL) = (paid_before IS NULL));
CREATE INDEX dunning_promised ON dunning (client_id, promised_on) WHERE promised_on IS NOT NULL AND NOT broken_told;

ALTER TABLE dunning_step DROP CONSTRAINT dunning_step_kind_check, ADD CHECK (kind IN ('reminder', 'notSent', 'charged', 'declined', 'paused',
  'resumed', 'promised', 'broken', 'note', 'held', 'reopened', 'collected', 'ended', 'interest', 'waived'));

-- The overdue list, oldest first.
DROP INDEX invoice_open;
CREATE INDEX invoice_open ON invoice (client_id, due_on, id) INCLUDE (customer_id, amount_due) WHERE state = 'open';

-- Today in London by the portal's clock, for lists that read without a transaction, where portal_now() is real time.
CREATE FUNCTION london_today() RETURNS date LANGUAGE sql STABLE PARALLEL SAFE AS
  $$ SELECT ((now() + coalesce((SELECT ahead FROM clock), '0'::interval)) AT TIME ZONE 'Europe/London')::date $$;
