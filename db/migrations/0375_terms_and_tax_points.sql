-- Day of the supply, where it is not the tax point; the election against the 14-day rule; the agreement to terms of more than 60 days.
ALTER TABLE invoice ADD supplied_on date;
ALTER TABLE invoice_settings ADD basic_tax_point boolean NOT NULL DEFAULT false;
ALTER TABLE customer ADD long_terms_agreed text NOT NULL DEFAULT '';

-- The day of the supply is sealed with the invoice.
CREATE OR REPLACE FUNCTION invoice_sealed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN RAISE EXCEPTION 'An issued invoice stands as it is. Make a credit note for it instead.' USING ERRCODE = 'ST409'; END IF;
  IF NEW.due_on < OLD.due_on
    OR (OLD.number, OLD.customer_id, OLD.company, OLD.quote_id, OLD.subscription_id, OLD.origin, OLD.date, OLD.tax_point, OLD.supplied_on, OLD.first_day, OLD.last_day, OLD.currency,
        OLD.percent_off, OLD.amount_off, OLD.discount_name, OLD.subtotal, OLD.discount, OLD.net, OLD.tax, OLD.total, OLD.totals, OLD.exchange_rate,
        OLD.sterling_tax, OLD.supplier, OLD.buyer, OLD.issued_at, OLD.author)
      IS DISTINCT FROM
       (NEW.number, NEW.customer_id, NEW.company, NEW.quote_id, NEW.subscription_id, NEW.origin, NEW.date, NEW.tax_point, NEW.supplied_on, NEW.first_day, NEW.last_day, NEW.currency,
        NEW.percent_off, NEW.amount_off, NEW.discount_name, NEW.subtotal, NEW.discount, NEW.net, NEW.tax, NEW.total, NEW.totals, NEW.exchange_rate,
        NEW.sterling_tax, NEW.supplier, NEW.buyer, NEW.issued_at, NEW.author)
    OR NOT (NEW.state = OLD.state OR (OLD.state, NEW.state) IN
      (('open', 'paid'), ('open', 'void'), ('open', 'uncollectible'), ('paid', 'open'), ('uncollectible', 'open'), ('uncollectible', 'paid')))
  THEN
    RAISE EXCEPTION 'an issued invoice stands as it was issued' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
