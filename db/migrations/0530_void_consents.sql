-- A consent of an import that has been undone is void: it was never given. Void are ended consents without a date of withdrawal.
UPDATE marketing_consent SET withdrawn_at = NULL
WHERE withdrawn AND reason = 'The import was undone' AND evidence ~ ' \(import [0-9]+\)$';

-- Why no marketing may be e-mailed to a lead: 'consent' if there is none, 'withdrawn' if it has been withdrawn; otherwise NULL.
-- An objection or withdrawal ends consents given before it, also once the suppression has been lifted, and if they are recorded later.
-- Void consents count neither as given nor as withdrawn.
CREATE OR REPLACE FUNCTION marketing_bar(client int, form text, number text, lead_email text) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN EXISTS (SELECT FROM marketing_consent m WHERE m.client_id = client AND email_key(m.address) = email_key(lead_email) AND NOT m.withdrawn
      AND NOT EXISTS (SELECT FROM email_suppression s WHERE s.client_id = client AND email_key(s.address) = email_key(lead_email)
        AND s.reason = 'asked' AND (s.created_at >= m.created_at OR (s.created_at AT TIME ZONE 'Europe/London')::date > m.given_on))
      AND NOT EXISTS (SELECT FROM marketing_consent w WHERE w.client_id = client AND email_key(w.address) = email_key(lead_email)
        AND w.withdrawn AND (w.withdrawn_at AT TIME ZONE 'Europe/London')::date > m.given_on)) THEN NULL
    WHEN EXISTS (SELECT FROM marketing_consent m WHERE m.client_id = client AND email_key(m.address) = email_key(lead_email)
      AND (NOT m.withdrawn OR m.withdrawn_at IS NOT NULL)) THEN 'withdrawn'
    WHEN is_corporate_subscriber(form, number) THEN NULL
    ELSE 'consent' END $$;
