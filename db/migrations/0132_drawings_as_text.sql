-- A drawing is written once, read whole, and looked into by nobody: it is kept as its text, which the database need not take apart into
-- hundreds of numbers. `to_jsonb` of a row says the same of it as before, so that what was sealed still verifies.
ALTER TABLE signature ALTER strokes TYPE json USING strokes::json;
ALTER TABLE talk_attendee ALTER strokes TYPE json USING strokes::json;

-- Called where a row became anything else than it was going to be: what goes with it in its journey was made of that, and nothing of it is kept.
CREATE FUNCTION refuse_unforeseen(stored jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a row is stored otherwise than was foreseen: %', stored;
END $$;
DROP FUNCTION must_be_foreseen(jsonb, jsonb);
