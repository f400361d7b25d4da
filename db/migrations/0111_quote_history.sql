-- What became of a quote: when its page was first opened, and when its customer was reminded. And whoever has signed one is not rung as a
-- lead any more.
ALTER TABLE quote ADD opened_at timestamptz, ADD reminded_at jsonb;
ALTER TABLE contact ADD won_at timestamptz;
SET LOCAL ROLE stanchion_system;
UPDATE contact c SET won_at = q.decided_at
FROM (SELECT client_id, contact_id, min(decided_at) AS decided_at FROM quote WHERE state = 'accepted' AND contact_id IS NOT NULL GROUP BY 1, 2) q
WHERE c.client_id = q.client_id AND c.id = q.contact_id;
SET LOCAL ROLE NONE;
