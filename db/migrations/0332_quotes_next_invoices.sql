-- What a quote is first billed with, if it is accepted on the day that it is sent, is part of what it promised.
ALTER TABLE quote ADD next_invoices jsonb;
CREATE FUNCTION quote_next_invoices_sealed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a sent quote stands as it was sent' USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER quote_next_invoices_sealed BEFORE UPDATE OF next_invoices ON quote FOR EACH ROW
  WHEN (OLD.sent_at IS NOT NULL AND OLD.next_invoices IS DISTINCT FROM NEW.next_invoices) EXECUTE FUNCTION quote_next_invoices_sealed();
