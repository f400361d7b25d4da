-- An approval covers the discount of a year, which is at least that of the first payment. The server compares lines,
-- terms and customer; this refuses a discount above the limit that nobody approved.
CREATE OR REPLACE FUNCTION quote_discount_approved() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  of_lines bigint := coalesce((NEW.totals ->> 'lineDiscount')::bigint, 0);
  taken bigint := coalesce((NEW.totals ->> 'discount')::bigint, 0) + of_lines;
  whole bigint := coalesce((NEW.totals ->> 'subtotal')::bigint, 0) + of_lines;
  most_percent numeric; most_amount bigint;
BEGIN
  SELECT discount_limit_percent, discount_limit_amount INTO most_percent, most_amount FROM quote_settings WHERE client_id = NEW.client_id;
  IF (taken > coalesce(most_amount, 1000000000) OR taken * 100 > (whole + 100) * coalesce(most_percent, 100)) AND NOT EXISTS (
    SELECT FROM discount_approval d WHERE d.client_id = NEW.client_id AND d.quote_id = NEW.id AND d.state = 'approved'
      AND d.discount >= taken AND d.currency = NEW.currency AND d.decided_by <> NEW.created_by)
  THEN
    RAISE EXCEPTION 'a discount above the limit goes out once it is approved' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
