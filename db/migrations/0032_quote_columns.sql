-- The reference and the state of a quote are made of columns that are never empty.
ALTER TABLE quote ALTER COLUMN reference SET NOT NULL, ALTER COLUMN state SET NOT NULL;
