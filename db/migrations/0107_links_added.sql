-- Keeps a client's chain from whoever else would add to it, until the transaction ends: what is read from here on is sealed in the order
-- of its links.
CREATE FUNCTION chain_hold(c int) RETURNS void LANGUAGE sql AS $$ SELECT pg_advisory_xact_lock(hashtext('seal'), c) $$;

-- Adds a link of the second form to a client's chain, behind whoever is adding one just now: the statement after the lock sees what was
-- committed while it was waited for. `rest` is what the link's fingerprint is of, behind the fingerprint before it and its place.
CREATE FUNCTION chain_add(c int, event text, subject_type text, subject_id bigint, subject jsonb, digest text, at timestamptz, by text, rest text)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  last int;
  before text;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('seal'), c);
  SELECT s.place, s.hash INTO last, before FROM seal s WHERE s.client_id = c ORDER BY s.place DESC LIMIT 1;
  IF NOT FOUND THEN
    last := 0;
    before := repeat('0', 64);
  END IF;
  INSERT INTO seal (client_id, form, place, event, subject_type, subject_id, subject, digest, previous, hash, at, by)
    VALUES (c, 2, last + 1, event, subject_type, subject_id, subject, digest, before,
      encode(sha256(convert_to('[2,"' || before || '",' || (last + 1) || ',' || rest, 'UTF8')), 'hex'), at, by);
END $$;
DROP FUNCTION chain_end(int);
