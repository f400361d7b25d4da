-- A client may have everything approved by somebody else than whoever wrote or completed it.
ALTER TABLE client ADD COLUMN forbid_self_approval boolean NOT NULL DEFAULT false;
