-- Files of banks in several formats: lines left out with their reason, columns mapped by hand, and the bank's own IDs of payments.
ALTER TABLE bank_statement
  ADD COLUMN alike int NOT NULL DEFAULT 0,
  ADD COLUMN left_out jsonb NOT NULL DEFAULT '[]',
  ADD COLUMN headings_key text NOT NULL DEFAULT '',
  ADD COLUMN mapping jsonb,
  ADD COLUMN checksum text NOT NULL DEFAULT '';
CREATE INDEX bank_statement_headings ON bank_statement (client_id, headings_key, id DESC) WHERE mapping IS NOT NULL;
ALTER TABLE bank_line ADD COLUMN bank_id text NOT NULL DEFAULT '';
