-- Documents and files that a signatory opened before signing, with the time that each was on the screen.
ALTER TABLE signature ADD opened jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(opened) = 'array');
