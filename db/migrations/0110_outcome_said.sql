-- How the last call ended, as it was said: the result that it leaves the lead with is another one for "No answer" and "Not interested". How
-- many outcomes there have been tells whoever records one whether it was decided on what is there. And why a number may be rung again.
ALTER TABLE contact
  ADD outcome_id int REFERENCES last_result (id),
  ADD outcomes int NOT NULL DEFAULT 0,
  ADD call_again_reason text;
SET LOCAL ROLE stanchion_system;
UPDATE contact c SET outcomes = n.outcomes, outcome_id = n.outcome_id
FROM (SELECT client_id, contact_id, count(*)::int AS outcomes, (array_agg(last_result_id ORDER BY id DESC))[1] AS outcome_id
      FROM note WHERE before IS NOT NULL AND NOT retired GROUP BY 1, 2) n
WHERE c.client_id = n.client_id AND c.id = n.contact_id;
SET LOCAL ROLE NONE;
