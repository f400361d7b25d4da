-- What a field said before a run changed it, of changes of one field: so that taking it back gives each record its own.
ALTER TABLE run_change ADD COLUMN was jsonb;
