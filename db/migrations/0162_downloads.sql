-- Folders whose files are there to be downloaded: forms, certificates, handbooks. They stand under Downloads, for whoever reads them.
ALTER TABLE document_folder ADD COLUMN downloads boolean NOT NULL DEFAULT false;
