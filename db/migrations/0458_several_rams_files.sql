-- A subcontractor may send several files at a time: they are the parts of one version.
ALTER TABLE rams_received ADD COLUMN part int NOT NULL DEFAULT 1;
ALTER TABLE rams_received DROP CONSTRAINT rams_received_client_id_request_id_version_key;
ALTER TABLE rams_received ADD UNIQUE (client_id, request_id, version, part);
