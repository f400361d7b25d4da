-- A field may hold several telephone numbers, each of which counts: `kernel/text/phone.ts` finds the same ones, and a test compares the two.
CREATE FUNCTION phone_of_digits(typed text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE digits text := replace(typed, '+', '');
BEGIN
  IF left(typed, 1) = '+' OR digits LIKE '00%' THEN
    digits := regexp_replace(digits, '^00', '');
    IF digits NOT LIKE '44%' THEN RETURN CASE WHEN digits ~ '^[1-9][0-9]{6,14}$' THEN '+' || digits END; END IF;
    digits := substr(digits, 3);
  ELSIF digits ~ '^440?[1-9][0-9]{8,9}$' THEN
    digits := substr(digits, 3);
  END IF;
  digits := ltrim(digits, '0');
  RETURN CASE WHEN digits ~ '^[1-9][0-9]{8,9}$' THEN '+44' || digits END;
END $$;

CREATE FUNCTION phone_numbers(typed text) RETURNS text[] LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  found text[] := '{}';
  run text; part text; digits text; remaining int; number text;
BEGIN
  IF typed IS NULL OR typed !~ '[0-9]' AND typed IS NFKC NORMALIZED THEN RETURN found; END IF;
  typed := regexp_replace(normalize(typed, NFKC), '((?<![a-z])(ext(ension|n)?|x)\.?|#) *[0-9]{1,6}(?![0-9])', ' | ', 'gi');
  typed := regexp_replace(typed, '\( *0 *\)', '', 'g');
  FOR run IN SELECT m[1] FROM regexp_matches(typed, '([0-9+][^A-Za-z#,;/|&\n\r]*)', 'g') m LOOP
    remaining := length(regexp_replace(run, '[^0-9]', '', 'g'));
    digits := '';
    FOREACH part IN ARRAY string_to_array(run, ' ') LOOP
      part := regexp_replace(part, '[^0-9+]', '', 'g');
      part := left(part, 1) || replace(substr(part, 2), '+', '');
      IF left(part, 1) IN ('0', '+') AND remaining >= 9 THEN
        number := phone_of_digits(digits);
        IF number IS NOT NULL THEN
          IF number <> ALL (found) THEN found := found || number; END IF;
          digits := '';
        END IF;
      END IF;
      remaining := remaining - length(replace(part, '+', ''));
      IF length(digits) < 20 THEN digits := digits || CASE WHEN digits = '' THEN part ELSE replace(part, '+', '') END; END IF;
    END LOOP;
    number := phone_of_digits(digits);
    IF number IS NOT NULL AND number <> ALL (found) THEN found := found || number; END IF;
  END LOOP;
  RETURN found;
END $$;

CREATE OR REPLACE FUNCTION phone_e164(phone text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT (phone_numbers(phone))[1] $$;

CREATE OR REPLACE FUNCTION contact_keys(company_name text, company_number text, phone text, mobile text, email text) RETURNS SETOF text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT DISTINCT k FROM (
    VALUES ('companyName:' || company_name_key(company_name)), ('companyNumber:' || company_number_key(company_number)),
      ('email:' || nullif(lower(btrim(email)), 'no'))
    UNION ALL SELECT 'phone:' || n FROM unnest(phone_numbers(phone) || phone_numbers(mobile)) n) v (k)
  WHERE k IS NOT NULL AND k NOT LIKE '%:' $$;

CREATE OR REPLACE FUNCTION lead_numbers(client int, lead bigint) RETURNS text[] LANGUAGE sql STABLE AS $$
  SELECT array_agg(DISTINCT n) FROM (
    SELECT unnest(phone_numbers(c.phone) || phone_numbers(c.mobile)) AS n FROM contact c WHERE c.client_id = client AND c.id = lead
    UNION ALL SELECT unnest(phone_numbers(p.telephone) || phone_numbers(p.mobile)) FROM contact_person p
      WHERE p.client_id = client AND p.contact_id = lead AND NOT p.retired AND NOT p.has_left) x $$;

CREATE OR REPLACE FUNCTION lead_barred() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF is_barred(NEW.client_id, VARIADIC phone_numbers(NEW.phone) || phone_numbers(NEW.mobile)) THEN
    NEW.do_not_call := true;
    NEW.call_again_reason := NULL;
  END IF;
  RETURN NEW;
END $$;
CREATE OR REPLACE FUNCTION lead_barred_by_person() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT NEW.retired AND NOT NEW.has_left
     AND is_barred(NEW.client_id, VARIADIC phone_numbers(NEW.telephone) || phone_numbers(NEW.mobile)) THEN
    UPDATE contact SET do_not_call = true, call_again_reason = NULL WHERE client_id = NEW.client_id AND id = NEW.contact_id AND NOT do_not_call;
  END IF;
  RETURN NULL;
END $$;

-- Fields whose numbers were not all found before: the further numbers become keys, and those not to be called bar their leads.
INSERT INTO contact_key (client_id, key, contact_id)
  SELECT f.client_id, 'phone:' || n, f.contact_id FROM (
      SELECT client_id, id AS contact_id, phone AS typed FROM contact UNION ALL SELECT client_id, id, mobile FROM contact
      UNION ALL SELECT client_id, contact_id, telephone FROM contact_person WHERE NOT retired AND NOT has_left
      UNION ALL SELECT client_id, contact_id, mobile FROM contact_person WHERE NOT retired AND NOT has_left) f, unnest(phone_numbers(f.typed)) n
  WHERE length(f.typed) > 12
  ON CONFLICT DO NOTHING;
UPDATE contact c SET do_not_call = true, call_again_reason = NULL
  WHERE NOT c.do_not_call AND EXISTS (
    SELECT FROM contact_key k JOIN do_not_call d ON d.client_id = k.client_id AND 'phone:' || d.number = k.key AND d.state = 'in force'
    WHERE k.client_id = c.client_id AND k.contact_id = c.id);
