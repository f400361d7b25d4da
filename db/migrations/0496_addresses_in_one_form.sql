-- E-mail addresses without invisible characters, as every entry point now stores them. An address that would duplicate another is not changed.
CREATE FUNCTION pg_temp.seen(address text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT btrim(regexp_replace(normalize(address, NFKC), '[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]', '', 'g')) $$;
UPDATE contact SET email = pg_temp.seen(email) WHERE email ~ '[^\x21-\x7e]' AND pg_temp.seen(email) <> email;
UPDATE contact_person SET email = pg_temp.seen(email) WHERE email ~ '[^\x21-\x7e]' AND pg_temp.seen(email) <> email;
UPDATE email_suppression s SET address = pg_temp.seen(address) WHERE address ~ '[^\x21-\x7e]' AND pg_temp.seen(address) <> address
  AND NOT EXISTS (SELECT FROM email_suppression o WHERE o.client_id = s.client_id AND o.id <> s.id AND NOT o.retired AND lower(pg_temp.seen(o.address)) = lower(pg_temp.seen(s.address)));
UPDATE marketing_consent s SET address = pg_temp.seen(address) WHERE address ~ '[^\x21-\x7e]' AND pg_temp.seen(address) <> address
  AND NOT EXISTS (SELECT FROM marketing_consent o WHERE o.client_id = s.client_id AND o.id <> s.id AND NOT o.withdrawn AND lower(pg_temp.seen(o.address)) = lower(pg_temp.seen(s.address)));
