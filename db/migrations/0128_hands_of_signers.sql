-- How somebody signed and what they drew are of those who have signed. What came with a name that has not is cleared where the record is open;
-- a closed one stands as it was sealed, so that the rule is held for what is written from now on.
SET LOCAL ROLE stanchion_system;
UPDATE talk_attendee a SET method = NULL, strokes = NULL, signer_id = NULL, by_name = NULL
FROM talk_presented p WHERE p.client_id = a.client_id AND p.id = a.presented_id AND NOT p.complete AND a.signed_at IS NULL
  AND (a.method IS NOT NULL OR a.strokes IS NOT NULL OR a.signer_id IS NOT NULL OR a.by_name IS NOT NULL);
SET LOCAL ROLE NONE;
ALTER TABLE talk_attendee ADD CONSTRAINT talk_attendee_hand CHECK (signed_at IS NOT NULL
  OR (method IS NULL AND strokes IS NULL AND signer_id IS NULL AND by_name IS NULL)) NOT VALID;
