-- A note that nobody wrote: what a customer has decided by their link, or the clock has. It stands under nobody's name, and nobody changes what it says.
ALTER TABLE note ADD automatic boolean NOT NULL DEFAULT false;
SET LOCAL ROLE stanchion_system;
UPDATE note n SET automatic = true, user_id = NULL, author = CASE WHEN n.notes LIKE 'The customer %' THEN 'customer' ELSE 'system' END
FROM quote q
WHERE n.client_id = q.client_id AND n.contact_id = q.contact_id AND n.before IS NULL AND n.last_result_id IS NULL AND n.author = q.owned_by
  AND (n.notes LIKE 'The customer accepted quote ' || q.reference || ' (%' OR n.notes LIKE 'The customer declined quote ' || q.reference || ' (%'
    OR n.notes LIKE 'Quote ' || q.reference || ' (% expired on %');
SET LOCAL ROLE NONE;
