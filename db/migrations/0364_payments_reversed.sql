-- A payment that was recorded in error is reversed: nothing was paid out, so it is no refund. A bank line has the payments that it was booked as.
ALTER TABLE charge DROP CONSTRAINT charge_state_check,
  ADD CONSTRAINT charge_state_check CHECK (state IN ('pending', 'succeeded', 'failed', 'disputed', 'reversed')),
  ADD bank_line_id bigint, ADD reversal_reason text NOT NULL DEFAULT '', ADD reversed_by text NOT NULL DEFAULT '', ADD reversed_at timestamptz,
  ADD CONSTRAINT charge_reversed CHECK (CASE WHEN state = 'reversed'
    THEN method <> 'card' AND reversed_at IS NOT NULL AND reversal_reason <> '' AND amount_settled = 0 AND amount_refunded = 0 AND amount_refunding = 0
    ELSE reversed_at IS NULL AND reversal_reason = '' AND reversed_by = '' END),
  ADD CONSTRAINT charge_of_line CHECK (bank_line_id IS NULL OR method = 'bank'),
  ADD FOREIGN KEY (client_id, bank_line_id) REFERENCES bank_line (client_id, id);
CREATE INDEX charge_bank_line ON charge (client_id, bank_line_id, id) WHERE bank_line_id IS NOT NULL;
UPDATE charge h SET bank_line_id = l.id FROM bank_line l WHERE l.client_id = h.client_id AND l.charge_id = h.id;

CREATE OR REPLACE FUNCTION charge_stands() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' OR OLD.state = 'reversed'
    OR (OLD.customer_id, OLD.invoice_id, OLD.card_id, OLD.method, OLD.amount, OLD.currency, OLD.gateway, OLD.key, OLD.created_by, OLD.created_at, OLD.bank_line_id)
      IS DISTINCT FROM (NEW.customer_id, NEW.invoice_id, NEW.card_id, NEW.method, NEW.amount, NEW.currency, NEW.gateway, NEW.key, NEW.created_by, NEW.created_at, NEW.bank_line_id)
    OR (OLD.gateway_ref IS NOT NULL AND OLD.gateway_ref IS DISTINCT FROM NEW.gateway_ref)
    OR NOT (OLD.state = NEW.state OR (OLD.state, NEW.state) IN
      (('pending', 'succeeded'), ('pending', 'failed'), ('succeeded', 'failed'), ('succeeded', 'disputed'), ('disputed', 'succeeded'), ('succeeded', 'reversed')))
    OR (OLD.dispute IN ('won', 'lost') AND OLD.dispute IS DISTINCT FROM NEW.dispute)
  THEN
    RAISE EXCEPTION 'a charge stands as it was made, and goes forward only' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;

-- A booked line can be opened again; what the bank wrote stands. A line that pays several invoices names no single payment.
ALTER TABLE bank_line DROP CONSTRAINT bank_line_check,
  ADD CONSTRAINT bank_line_charge_when_booked CHECK (state = 'booked' OR charge_id IS NULL);
CREATE OR REPLACE FUNCTION bank_line_stands() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' OR (OLD.state = 'booked' AND NEW.state NOT IN ('booked', 'open'))
    OR (OLD.state = 'booked' AND NEW.state = 'booked' AND (OLD.customer_id, OLD.invoice_id, OLD.charge_id, OLD.decided_by, OLD.decided_at)
      IS DISTINCT FROM (NEW.customer_id, NEW.invoice_id, NEW.charge_id, NEW.decided_by, NEW.decided_at))
    OR (OLD.statement_id, OLD.day, OLD.amount, OLD.currency, OLD.reference, OLD.payer, OLD.key)
      IS DISTINCT FROM (NEW.statement_id, NEW.day, NEW.amount, NEW.currency, NEW.reference, NEW.payer, NEW.key)
  THEN
    RAISE EXCEPTION 'a line stands as the bank has it, and is booked once' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;

-- A booked line's payments add up to it, and a line that is not booked has none but reversed ones. Looked at as the transaction ends.
CREATE FUNCTION bank_line_adds_up() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE line bigint := CASE WHEN TG_TABLE_NAME = 'bank_line' THEN NEW.id ELSE (to_jsonb(NEW) ->> 'bank_line_id')::bigint END;
BEGIN
  IF EXISTS (SELECT FROM bank_line l WHERE l.client_id = NEW.client_id AND l.id = line
    AND (CASE WHEN l.state = 'booked' THEN l.amount ELSE 0 END <> coalesce((SELECT sum(h.amount) FROM charge h
        WHERE h.client_id = l.client_id AND h.bank_line_id = l.id AND h.state <> 'reversed'), 0)
      OR EXISTS (SELECT FROM charge h WHERE h.client_id = l.client_id AND h.bank_line_id = l.id AND h.state <> 'reversed'
        AND (h.currency <> l.currency OR h.customer_id IS DISTINCT FROM l.customer_id))
      OR (l.charge_id IS NOT NULL AND NOT EXISTS (SELECT FROM charge h WHERE h.client_id = l.client_id AND h.id = l.charge_id AND h.bank_line_id = l.id))))
  THEN
    RAISE EXCEPTION 'a line is booked as what came' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER bank_line_added_booked AFTER INSERT ON bank_line DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (NEW.state = 'booked') EXECUTE FUNCTION bank_line_adds_up();
CREATE CONSTRAINT TRIGGER bank_line_adds_up AFTER UPDATE OF state, charge_id ON bank_line DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  EXECUTE FUNCTION bank_line_adds_up();
CREATE CONSTRAINT TRIGGER charge_adds_up_to_line AFTER INSERT OR UPDATE OF state ON charge DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (NEW.bank_line_id IS NOT NULL) EXECUTE FUNCTION bank_line_adds_up();
