-- Signatures under a revision have places, from 1 on: how many there are is the place of the last. The revision, a wide row with many
-- checks, was written anew for each.
ALTER TABLE signature ADD place int;
ALTER TABLE signature DISABLE TRIGGER append_only;
GRANT UPDATE ON signature TO stanchion_system;
SET LOCAL ROLE stanchion_system;
UPDATE signature s SET place = n.place
  FROM (SELECT client_id, id, row_number() OVER (PARTITION BY client_id, document_id ORDER BY id) AS place FROM signature) n
  WHERE s.client_id = n.client_id AND s.id = n.id;
SET LOCAL ROLE NONE;
REVOKE UPDATE ON signature FROM stanchion_system;
ALTER TABLE signature ENABLE TRIGGER append_only;
ALTER TABLE signature ALTER place SET NOT NULL, ADD CHECK (place > 0);
CREATE UNIQUE INDEX signature_place ON signature (client_id, document_id, place);
DROP INDEX signature_document;

ALTER TABLE document DROP COLUMN signature_count;
