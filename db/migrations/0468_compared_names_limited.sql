-- Of a very long name, only the beginning is compared, because the time for the rest would grow with its square.
CREATE OR REPLACE FUNCTION company_name_key(name text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE s text := normalize(left(name, 255), NFKD);
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
