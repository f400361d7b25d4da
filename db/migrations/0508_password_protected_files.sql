-- PDFs that open only with a password: their users are told so.
ALTER TABLE uploaded_document ADD locked boolean NOT NULL DEFAULT false;
