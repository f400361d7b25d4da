-- Folders whose files human resources see under People.
ALTER TABLE document_folder ADD COLUMN hr_templates boolean NOT NULL DEFAULT false;
