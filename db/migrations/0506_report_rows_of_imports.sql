-- Rows of an import report: their values as in the file, so that a corrected report can be imported, and the values of existing leads that they changed.
ALTER TABLE import_line ADD cells jsonb, ADD changes jsonb;
ALTER TABLE import_batch ADD rows_updated int NOT NULL DEFAULT 0;
UPDATE import_line SET outcome = 'incomplete' WHERE outcome = 'added' AND reason LIKE 'No telephone number%';
