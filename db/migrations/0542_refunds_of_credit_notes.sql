-- A refund that a credit note has requested belongs to it, so that the credit note states what was refunded and what waits.
ALTER TABLE refund ADD credit_note_id bigint, ADD FOREIGN KEY (client_id, credit_note_id) REFERENCES credit_note (client_id, id);
CREATE INDEX refund_credit_note ON refund (client_id, credit_note_id, id) WHERE credit_note_id IS NOT NULL;

UPDATE refund r SET credit_note_id = n.id FROM charge h, credit_note n
WHERE h.client_id = r.client_id AND h.id = r.charge_id AND n.client_id = h.client_id AND n.invoice_id = h.invoice_id
  AND n.goes_to = 'refund' AND r.created_by = n.author AND starts_with(r.reason, 'Credit note ' || n.number || ': ');

CREATE OR REPLACE FUNCTION refund_stands() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE'
    OR (OLD.charge_id, OLD.customer_id, OLD.credit_note_id, OLD.reason, OLD.amount, OLD.currency, OLD.key, OLD.created_by, OLD.created_at)
      IS DISTINCT FROM (NEW.charge_id, NEW.customer_id, NEW.credit_note_id, NEW.reason, NEW.amount, NEW.currency, NEW.key, NEW.created_by, NEW.created_at)
    OR (OLD.gateway_ref IS NOT NULL AND OLD.gateway_ref IS DISTINCT FROM NEW.gateway_ref)
    OR NOT (OLD.state = NEW.state OR (OLD.state, NEW.state) IN
      (('waiting', 'pending'), ('waiting', 'succeeded'), ('waiting', 'failed'), ('pending', 'succeeded'), ('pending', 'failed'), ('succeeded', 'failed')))
  THEN
    RAISE EXCEPTION 'a refund stands as it was asked for, and goes forward only' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
