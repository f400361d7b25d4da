-- Who has invoiced before settling anything has numbers too: what is settled afterwards goes on from them.
CREATE OR REPLACE FUNCTION series_begun() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  prefix text := 'INV-'; first int := 1; credit text := 'CN-';
BEGIN
  IF TG_OP = 'UPDATE' THEN
    prefix := OLD.prefix; first := OLD.first_number; credit := OLD.credit_prefix;
  END IF;
  IF (NEW.prefix, NEW.first_number) IS DISTINCT FROM (prefix, first)
    AND EXISTS (SELECT FROM invoice i WHERE i.client_id = NEW.client_id AND i.number <> '') THEN
    RAISE EXCEPTION 'Invoices have been issued: their numbers go on as they began.' USING ERRCODE = 'ST409';
  END IF;
  IF NEW.credit_prefix <> credit AND EXISTS (SELECT FROM credit_note n WHERE n.client_id = NEW.client_id) THEN
    RAISE EXCEPTION 'Credit notes have been issued: their numbers go on as they began.' USING ERRCODE = 'ST409';
  END IF;
  RETURN NEW;
END $$;
DROP TRIGGER series_begun ON invoice_settings;
CREATE TRIGGER series_begun BEFORE INSERT OR UPDATE ON invoice_settings FOR EACH ROW EXECUTE FUNCTION series_begun();
