-- Documents state who changed them last, which a person sees who has changed the same fields.
ALTER TABLE document ADD last_edit_by text NOT NULL DEFAULT '';
