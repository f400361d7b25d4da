-- Why VAT is what it is: nought per cent is four things. A line without a code is what its percentage says.
ALTER TABLE tax_rate ADD code text NOT NULL DEFAULT 'standard' CHECK (code IN ('standard', 'reduced', 'zero', 'exempt', 'outside', 'reverse'));
UPDATE tax_rate SET code = CASE WHEN percent = 0 THEN 'zero' WHEN percent < 15 THEN 'reduced' ELSE 'standard' END;
ALTER TABLE tax_rate ADD CONSTRAINT tax_rate_charged CHECK (percent = 0 OR code IN ('standard', 'reduced'));
ALTER TABLE quote_line ADD tax_code text CHECK (tax_code IN ('standard', 'reduced', 'zero', 'exempt', 'outside', 'reverse'));

-- Whom invoices are made out to (VAT Notice 700, section 16.3), where it is not the company as the lead or the client says it.
ALTER TABLE customer
  ADD billing_name text NOT NULL DEFAULT '', ADD address1 text NOT NULL DEFAULT '', ADD address2 text NOT NULL DEFAULT '', ADD city text NOT NULL DEFAULT '',
  ADD county text NOT NULL DEFAULT '', ADD postcode text NOT NULL DEFAULT '', ADD country text NOT NULL DEFAULT 'GB', ADD vat_number text NOT NULL DEFAULT '',
  ADD po_number text NOT NULL DEFAULT '', ADD invoice_email text NOT NULL DEFAULT '', ADD payment_days int NOT NULL DEFAULT 14 CHECK (payment_days BETWEEN 0 AND 365);
