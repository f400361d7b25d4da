-- Marketing by e-mail to sole traders, partnerships and leads of unknown form needs consent or the soft opt-in (PECR 2003, regulation 22).
ALTER TABLE contact ADD legal_form text NOT NULL DEFAULT 'unknown'
  CHECK (legal_form IN ('unknown', 'limited', 'plc', 'llp', 'scottish partnership', 'public body', 'other corporate', 'sole trader', 'partnership'));
ALTER TABLE email_template ADD marketing boolean NOT NULL DEFAULT true;
ALTER TABLE message ADD marketing boolean NOT NULL DEFAULT false;
UPDATE message SET marketing = true WHERE run_id IS NOT NULL AND stoppable;

CREATE INDEX marketing_consent_key ON marketing_consent (client_id, email_key(address));
CREATE INDEX email_suppression_asked ON email_suppression (client_id, email_key(address)) WHERE reason = 'asked';

-- Whether a lead is a corporate subscriber (PECR, regulation 2): companies, LLPs, Scottish partnerships, and bodies with a registered number.
-- English and Northern Irish limited partnerships (LP, NL) are none. Matches isCorporateSubscriber() of the portal.
CREATE FUNCTION is_corporate_subscriber(form text, number text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE form WHEN 'unknown' THEN coalesce(company_number_key(number) ~ '^([0-9]{8}|[A-Z][A-Z0-9][0-9]{5}[0-9A-Z])$'
      AND company_number_key(number) !~ '^(LP|NL)', false)
    ELSE form NOT IN ('sole trader', 'partnership') END $$;

-- Why no marketing may be e-mailed to a lead: 'consent' if there is none, 'withdrawn' if it has been withdrawn; otherwise NULL.
-- An objection or withdrawal ends consents given before it, also once the suppression has been lifted, and if they are recorded later.
CREATE FUNCTION marketing_bar(client int, form text, number text, lead_email text) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN EXISTS (SELECT FROM marketing_consent m WHERE m.client_id = client AND email_key(m.address) = email_key(lead_email) AND NOT m.withdrawn
      AND NOT EXISTS (SELECT FROM email_suppression s WHERE s.client_id = client AND email_key(s.address) = email_key(lead_email)
        AND s.reason = 'asked' AND (s.created_at >= m.created_at OR (s.created_at AT TIME ZONE 'Europe/London')::date > m.given_on))
      AND NOT EXISTS (SELECT FROM marketing_consent w WHERE w.client_id = client AND email_key(w.address) = email_key(lead_email)
        AND w.withdrawn AND (w.withdrawn_at AT TIME ZONE 'Europe/London')::date > m.given_on)) THEN NULL
    WHEN EXISTS (SELECT FROM marketing_consent m WHERE m.client_id = client AND email_key(m.address) = email_key(lead_email)) THEN 'withdrawn'
    WHEN is_corporate_subscriber(form, number) THEN NULL
    ELSE 'consent' END $$;
