-- A VAT return that was sent to HMRC is 'sending' until HMRC confirms or refuses it.
ALTER TABLE vat_return DROP CONSTRAINT vat_return_state_check, ADD CONSTRAINT vat_return_state_check CHECK (state IN ('draft', 'sending', 'filed')),
  ADD period_key text NOT NULL DEFAULT '', ADD submission jsonb, ADD submission_message text NOT NULL DEFAULT '', ADD receipt jsonb,
  ADD submitted_at timestamptz, ADD submitted_by text NOT NULL DEFAULT '',
  ADD CHECK (state <> 'sending' OR (period_key <> '' AND submission IS NOT NULL AND submitted_at IS NOT NULL));
CREATE INDEX vat_return_sending ON vat_return (client_id, last_day) WHERE state = 'sending';

CREATE FUNCTION vat_return_sent() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' OR (NEW.state = 'sending' AND
    (NEW.first_day, NEW.last_day, NEW.scheme, NEW.acquisition_vat, NEW.purchase_vat, NEW.purchases, NEW.dispatches, NEW.acquisitions)
    IS DISTINCT FROM (OLD.first_day, OLD.last_day, OLD.scheme, OLD.acquisition_vat, OLD.purchase_vat, OLD.purchases, OLD.dispatches, OLD.acquisitions))
  THEN RAISE EXCEPTION 'This VAT return was sent to HMRC and is not confirmed. Check with HMRC first.' USING ERRCODE = 'ST409'; END IF;
  RETURN CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
END $$;
CREATE TRIGGER vat_return_sent BEFORE UPDATE OR DELETE ON vat_return FOR EACH ROW WHEN (OLD.state = 'sending') EXECUTE FUNCTION vat_return_sent();

CREATE OR REPLACE FUNCTION vat_part_filed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE r jsonb := to_jsonb(CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END); was text;
BEGIN
  SELECT state INTO was FROM vat_return v WHERE v.client_id = (r ->> 'client_id')::int AND v.id = (r ->> 'return_id')::bigint;
  IF was = 'filed' THEN RAISE EXCEPTION 'This VAT return is filed. Correct it with an adjustment in the next return.' USING ERRCODE = 'ST409'; END IF;
  IF was = 'sending' THEN RAISE EXCEPTION 'This VAT return was sent to HMRC and is not confirmed. Check with HMRC first.' USING ERRCODE = 'ST409'; END IF;
  RETURN CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
END $$;

-- Nothing is posted into the period of a return that HMRC may have accepted.
CREATE OR REPLACE FUNCTION ledger_balanced() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM ledger_entry e WHERE e.client_id = NEW.client_id AND e.transaction_id = NEW.id)
    OR EXISTS (SELECT FROM ledger_entry e WHERE e.client_id = NEW.client_id AND e.transaction_id = NEW.id GROUP BY e.currency HAVING sum(e.amount) <> 0)
    OR EXISTS (SELECT FROM ledger_entry e WHERE e.client_id = NEW.client_id AND e.transaction_id = NEW.id
               AND (e.day <> NEW.day OR (e.account = 'receivable' AND e.customer_id IS DISTINCT FROM NEW.customer_id)))
  THEN RAISE EXCEPTION 'the entries of a transaction come to nil, on its day, for its customer' USING ERRCODE = 'integrity_constraint_violation'; END IF;
  PERFORM pg_advisory_xact_lock_shared(hashtext('ledger_lock'), NEW.client_id);
  IF EXISTS (SELECT FROM ledger_lock l WHERE l.client_id = NEW.client_id AND l.through >= NEW.day)
    OR EXISTS (SELECT FROM vat_return v WHERE v.client_id = NEW.client_id AND v.state = 'sending' AND v.last_day >= NEW.day)
  THEN RAISE EXCEPTION 'nothing is posted into a period that is closed' USING ERRCODE = 'restrict_violation'; END IF;
  RETURN NULL;
END $$;
