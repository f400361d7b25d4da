-- Requests to sign that ask questions about the document, and the questions that a signatory answered before signing.
ALTER TABLE sign_off ADD proof boolean NOT NULL DEFAULT false;
ALTER TABLE signature ADD questions jsonb NOT NULL DEFAULT '[]';
