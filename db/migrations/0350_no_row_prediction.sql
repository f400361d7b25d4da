-- Evidence seals rows as they are stored, so no statement compares them with a prediction any more.
DROP FUNCTION refuse_unforeseen(jsonb);
