-- A quote that was accepted by telephone may get the customer's signature afterwards, once.
CREATE OR REPLACE FUNCTION quote_sealed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' OR NEW.status_id = 1
    OR (OLD.number, OLD.revision, OLD.parent_id, OLD.customer_id, OLD.coupon_id, OLD.company, OLD.currency, OLD.tax_percent, OLD.billing_cycle_anchor,
        OLD.prorate, OLD.send_email, OLD.email_to, OLD.message, OLD.terms, OLD.total, OLD.totals, OLD.coupon_terms, OLD.supplier, OLD.sent_at, OLD.created_by,
        OLD.discount_percent, OLD.discount_amount, OLD.discount_duration, OLD.discount_periods)
      IS DISTINCT FROM
       (NEW.number, NEW.revision, NEW.parent_id, NEW.customer_id, NEW.coupon_id, NEW.company, NEW.currency, NEW.tax_percent, NEW.billing_cycle_anchor,
        NEW.prorate, NEW.send_email, NEW.email_to, NEW.message, NEW.terms, NEW.total, NEW.totals, NEW.coupon_terms, NEW.supplier, NEW.sent_at, NEW.created_by,
        NEW.discount_percent, NEW.discount_amount, NEW.discount_duration, NEW.discount_periods)
    OR (OLD.status_id = 3 AND (OLD.status_id, OLD.decided_at, OLD.decided_by) IS DISTINCT FROM (NEW.status_id, NEW.decided_at, NEW.decided_by))
    OR (OLD.status_id = 3 AND OLD.signature IS DISTINCT FROM NEW.signature AND (OLD.signature IS NOT NULL OR OLD.taken_by = ''))
  THEN
    RAISE EXCEPTION 'a sent quote stands as it was sent' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
