-- A payment that failed here may still be paid at the payment service; it is then recorded as paid.
CREATE OR REPLACE FUNCTION charge_stands() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' OR OLD.state = 'reversed'
    OR (OLD.customer_id, OLD.invoice_id, OLD.card_id, OLD.mandate_id, OLD.method, OLD.amount, OLD.currency, OLD.gateway, OLD.key, OLD.created_by, OLD.created_at, OLD.bank_line_id)
      IS DISTINCT FROM (NEW.customer_id, NEW.invoice_id, NEW.card_id, NEW.mandate_id, NEW.method, NEW.amount, NEW.currency, NEW.gateway, NEW.key, NEW.created_by, NEW.created_at, NEW.bank_line_id)
    OR (OLD.gateway_ref IS NOT NULL AND OLD.gateway_ref IS DISTINCT FROM NEW.gateway_ref)
    OR NOT (OLD.state = NEW.state OR (OLD.state, NEW.state) IN
      (('pending', 'succeeded'), ('pending', 'failed'), ('failed', 'succeeded'), ('succeeded', 'failed'), ('succeeded', 'disputed'), ('disputed', 'succeeded'), ('succeeded', 'reversed')))
    OR (OLD.dispute IN ('won', 'lost') AND OLD.dispute IS DISTINCT FROM NEW.dispute)
  THEN
    RAISE EXCEPTION 'a charge stands as it was made, and goes forward only' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
