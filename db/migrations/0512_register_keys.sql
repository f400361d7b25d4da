-- Companies of the register are compared by their name in plain letters, with the legal form in one spelling. `toRegisterKey` in
-- companies/company.ts returns the same.
CREATE FUNCTION register_key(name text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT AS $$
DECLARE key text := search_form(name);
BEGIN
  IF right(key, 3) = 'ltd' THEN RETURN regexp_replace(key, '(?<![a-z])ltd$', 'limited'); END IF;
  IF right(key, 3) = 'cyf' THEN RETURN regexp_replace(key, '(?<![a-z])cyf$', 'cyfyngedig'); END IF;
  IF right(key, 7) = 'company' THEN RETURN regexp_replace(regexp_replace(key, '(?<![a-z])public limited company$', 'plc'), '(?<![a-z])community interest company$', 'cic'); END IF;
  IF right(key, 11) = 'partnership' THEN RETURN regexp_replace(key, '(?<![a-z])limited liability partnership$', 'llp'); END IF;
  RETURN key;
END $$;

SELECT company_indexes(false);
ALTER TABLE company DROP COLUMN key, DROP COLUMN length,
  ADD COLUMN key text COLLATE "C" GENERATED ALWAYS AS (register_key(name)) STORED,
  ADD COLUMN length smallint GENERATED ALWAYS AS (char_length(name)) STORED;
ALTER TABLE company ALTER key SET STATISTICS 1000;
SET LOCAL maintenance_work_mem = '256MB';
SELECT company_indexes(true);
ANALYZE company;
