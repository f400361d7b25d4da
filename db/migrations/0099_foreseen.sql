-- What goes with a row in its journey was made of the row as it was going to be: where it became anything else, nothing of it is kept.
CREATE FUNCTION must_be_foreseen(stored jsonb, foreseen jsonb) RETURNS void LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  IF stored IS DISTINCT FROM foreseen THEN
    RAISE EXCEPTION 'a row is stored otherwise than was foreseen: % in place of %', stored, foreseen;
  END IF;
END $$;
