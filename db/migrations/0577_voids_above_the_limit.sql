-- Voiding an invoice above the limit waits for a second person, like a write-off.
ALTER TABLE finance_request DROP CONSTRAINT finance_request_kind_check, DROP CONSTRAINT finance_request_check,
  ADD CONSTRAINT finance_request_kind_check CHECK (kind IN ('balance', 'writeOff', 'void')),
  ADD CONSTRAINT finance_request_check CHECK ((kind IN ('writeOff', 'void')) = (invoice_id IS NOT NULL));
