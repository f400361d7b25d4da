-- Adjustments and claims are written and deleted under a lock of their return: filing waits for those under way and
-- includes them, and those that wait for a filing are refused.
CREATE OR REPLACE FUNCTION vat_part_filed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE r jsonb := to_jsonb(CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END); was text;
BEGIN
  SELECT state INTO was FROM vat_return v WHERE v.client_id = (r ->> 'client_id')::int AND v.id = (r ->> 'return_id')::bigint FOR SHARE;
  IF was = 'filed' THEN RAISE EXCEPTION 'This VAT return is filed. Correct it with an adjustment in the next return.' USING ERRCODE = 'ST409'; END IF;
  IF was = 'sending' THEN RAISE EXCEPTION 'This VAT return was sent to HMRC and is not confirmed. Check with HMRC first.' USING ERRCODE = 'ST409'; END IF;
  RETURN CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
END $$;
