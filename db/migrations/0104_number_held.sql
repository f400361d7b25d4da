-- A document's number, kept from others until the transaction ends: before any of its revisions is locked, so that two who begin with different
-- ones wait in a line. Of a kind that is in force once in a client, the kind.
CREATE FUNCTION number_held(client int, kind text, number text, per_client boolean) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended(concat_ws(' ', 'document', client, kind, CASE WHEN NOT per_client THEN number END), 0));
  RETURN true;
END $$;
