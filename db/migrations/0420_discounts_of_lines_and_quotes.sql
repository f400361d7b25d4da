-- Discounts of lines, which stay with the items of a subscription, and discounts of quotes without a coupon.
ALTER TABLE quote_line ADD discount_percent numeric CHECK (discount_percent BETWEEN 0 AND 100);
ALTER TABLE invoice_line ADD discount_percent numeric CHECK (discount_percent BETWEEN 0 AND 100);
ALTER TABLE subscription_item ADD discount_percent numeric CHECK (discount_percent BETWEEN 0 AND 100);
ALTER TABLE quote
  ADD discount_percent numeric CHECK (discount_percent BETWEEN 0 AND 100), ADD discount_amount bigint CHECK (discount_amount >= 0),
  ADD discount_duration text NOT NULL DEFAULT 'once' CHECK (discount_duration IN ('once', 'periods', 'forever')),
  ADD discount_periods int CHECK (discount_periods BETWEEN 1 AND 120),
  ADD CHECK (num_nonnulls(nullif(discount_percent, 0), nullif(discount_amount, 0), coupon_id) <= 1);

-- The quote's own discount is sealed with the quote.
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
    OR (OLD.status_id = 3 AND (OLD.status_id, OLD.signature, OLD.decided_at, OLD.decided_by) IS DISTINCT FROM (NEW.status_id, NEW.signature, NEW.decided_at, NEW.decided_by))
  THEN
    RAISE EXCEPTION 'a sent quote stands as it was sent' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;

-- Discounts of lines count towards the limit: taken from the amount before any discount.
CREATE OR REPLACE FUNCTION quote_discount_approved() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  of_lines bigint := coalesce((NEW.totals ->> 'lineDiscount')::bigint, 0);
  taken bigint := coalesce((NEW.totals ->> 'discount')::bigint, 0) + of_lines;
  whole bigint := coalesce((NEW.totals ->> 'subtotal')::bigint, 0) + of_lines;
  most_percent numeric; most_amount bigint;
BEGIN
  SELECT discount_limit_percent, discount_limit_amount INTO most_percent, most_amount FROM quote_settings WHERE client_id = NEW.client_id;
  IF (taken > coalesce(most_amount, 1000000000) OR taken * 100 > whole * coalesce(most_percent, 100)) AND NOT EXISTS (
    SELECT FROM discount_approval d WHERE d.client_id = NEW.client_id AND d.quote_id = NEW.id AND d.state = 'approved'
      AND d.discount = taken AND d.subtotal = whole AND d.currency = NEW.currency AND d.decided_by <> NEW.created_by)
  THEN
    RAISE EXCEPTION 'a discount above the limit goes out once it is approved' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
