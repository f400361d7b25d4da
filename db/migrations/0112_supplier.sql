-- Who makes an offer, as its paper says: a company's VAT number, and what a quote was sent with.
ALTER TABLE client ADD COLUMN vat_number text NOT NULL DEFAULT '';
ALTER TABLE quote ADD COLUMN supplier jsonb;
