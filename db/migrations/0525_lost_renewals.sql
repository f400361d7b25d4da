-- A renewal whose response was lost can be repeated: for as long as no secret of its response was used.
ALTER TABLE session_secret ADD COLUMN replaces text, ADD COLUMN is_revoked boolean NOT NULL DEFAULT false;
