-- The chain is about records of any kind. A link says how its fingerprint was made: those of the first form name a document only.
ALTER TABLE seal ADD COLUMN form smallint NOT NULL DEFAULT 1 CHECK (form IN (1, 2)),
  ADD COLUMN subject_type text NOT NULL DEFAULT 'Document', ADD COLUMN subject_id bigint;
-- By rewriting the table: its rows are never updated.
ALTER TABLE seal ALTER COLUMN subject_id TYPE bigint USING document_id;
ALTER TABLE seal DROP COLUMN document_id;
ALTER TABLE seal ALTER COLUMN form DROP DEFAULT, ALTER COLUMN subject_type DROP DEFAULT, ALTER COLUMN subject_id SET NOT NULL,
  ADD COLUMN document_id bigint GENERATED ALWAYS AS (CASE WHEN subject_type = 'Document' THEN subject_id END) STORED;
ALTER TABLE seal ADD FOREIGN KEY (client_id, document_id) REFERENCES document (client_id, id);
CREATE INDEX seal_subject ON seal (client_id, subject_type, subject_id, place);
CREATE INDEX seal_document ON seal (client_id, document_id, place);
