-- Reason for which a file was retired; empty for a file in use. HR templates need one.
ALTER TABLE uploaded_document ADD COLUMN retire_reason text NOT NULL DEFAULT '';
