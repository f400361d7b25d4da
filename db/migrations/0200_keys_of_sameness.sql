-- By what two leads are the same, in one form each whatever was typed: telephone numbers in E.164, company numbers as the register writes
-- them, company names without their legal form. `kernel/text/phone.ts` and `crm/sameness/keys.ts` say the same, and a test holds the two together.
CREATE FUNCTION phone_e164(phone text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  said text := replace(substring(phone from '[0-9+][^A-Za-z#,;/]*'), '(0)', '');
  digits text := regexp_replace(said, '[^0-9]', '', 'g');
BEGIN
  IF digits IS NULL OR digits = '' THEN RETURN NULL; END IF;
  IF left(said, 1) = '+' OR digits LIKE '00%' THEN
    digits := regexp_replace(digits, '^00', '');
    IF digits NOT LIKE '44%' THEN RETURN CASE WHEN digits ~ '^[1-9][0-9]{6,14}$' THEN '+' || digits END; END IF;
    digits := substr(digits, 3);
  ELSIF digits ~ '^44[1-9][0-9]{8,9}$' THEN
    digits := substr(digits, 3);
  END IF;
  digits := ltrim(digits, '0');
  RETURN CASE WHEN digits ~ '^[1-9][0-9]{8,9}$' THEN '+44' || digits END;
END $$;

CREATE FUNCTION company_number_key(number text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE s text := upper(regexp_replace(number, '[^0-9A-Za-z]', '', 'g'));
BEGIN
  IF s IS NULL OR s ~ '^0*$' THEN RETURN NULL; END IF;
  IF s ~ '^[0-9]{1,8}$' THEN RETURN lpad(s, 8, '0'); END IF;
  IF s ~ '^[A-Z]{2}[0-9]{1,6}$' THEN RETURN left(s, 2) || lpad(substr(s, 3), 6, '0'); END IF;
  RETURN s;
END $$;

CREATE FUNCTION company_name_key(name text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE s text := normalize(name, NFKD);
BEGIN
  IF s IS NULL THEN RETURN NULL; END IF;
  s := translate(s, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz');
  s := regexp_replace(s, '[\u0300-\u036f''`.\u2018\u2019]', '', 'g');
  s := regexp_replace(s, '[&+]', ' and ', 'g');
  s := ' ' || regexp_replace(s, '[^a-z0-9\u00c0-\u1fff\u2c00-\uffff]+', ' ', 'g') || ' ';
  s := regexp_replace(s, '^ +the ', ' ');
  s := regexp_replace(s, ' (public limited company|limited liability partnership|community interest company) ', ' ', 'g');
  s := regexp_replace(s, ' son ', ' sons ', 'g');
  s := regexp_replace(s, ' bros ', ' brothers ', 'g');
  s := regexp_replace(s, ' company ', ' co ', 'g');
  s := regexp_replace(s, '( (ltd|limited|plc|llp|lp|cic|cio|inc))+ *$', '');
  s := btrim(s, ' ');
  RETURN CASE WHEN s <> '' THEN s END;
END $$;

CREATE OR REPLACE FUNCTION contact_keys(company_name text, company_number text, phone text, mobile text, email text) RETURNS SETOF text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT DISTINCT k FROM (VALUES
    ('companyName:' || company_name_key(company_name)), ('companyNumber:' || company_number_key(company_number)),
    ('phone:' || phone_e164(phone)), ('phone:' || phone_e164(mobile)), ('email:' || nullif(lower(btrim(email)), 'no'))) v (k)
  WHERE k IS NOT NULL AND k NOT LIKE '%:' $$;

TRUNCATE contact_key;
INSERT INTO contact_key (client_id, key, contact_id)
  SELECT c.client_id, k, c.id FROM contact c, contact_keys(c.company_name, c.company_number, c.phone, c.mobile, c.email) k
  UNION SELECT p.client_id, k, p.contact_id FROM contact_person p, contact_keys(NULL, NULL, p.telephone, p.mobile, p.email) k
    WHERE NOT p.retired AND NOT p.has_left;
ANALYZE contact_key;

-- A company number is kept as the register writes it, whichever way it came.
UPDATE contact SET company_number = company_number_key(company_number)
  WHERE company_number ~ '^ *[0-9]{6,7} *$';

