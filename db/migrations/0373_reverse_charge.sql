-- Rate at which the customer accounts for the VAT of a reverse charge; null abroad, and on documents issued before it was recorded.
ALTER TABLE invoice_line ADD reverse_code text CHECK (reverse_code IN ('standard', 'reduced')), ADD reverse_percent numeric;
ALTER TABLE credit_note_line ADD reverse_percent numeric;
