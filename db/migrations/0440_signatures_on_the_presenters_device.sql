-- A person with an account may also sign by hand on the presenter's device. Each person signs once for themselves.
DROP INDEX talk_attendee_own;
CREATE UNIQUE INDEX talk_attendee_own ON talk_attendee (client_id, presented_id, user_id)
  WHERE user_id IS NOT NULL AND method <> 'on behalf' AND signed_at IS NOT NULL;

-- Company and trade of an attendee without an account.
ALTER TABLE talk_attendee ADD company text NOT NULL DEFAULT '', ADD trade text NOT NULL DEFAULT '';

-- A record may be closed before everyone present has signed. They can then sign late.
ALTER TABLE talk_presented ADD late_signatures boolean NOT NULL DEFAULT false;
CREATE OR REPLACE FUNCTION talk_waits(a talk_attendee) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT a.user_id IS NOT NULL AND a.signed_at IS NULL
    AND EXISTS (SELECT FROM talk_presented p JOIN document d ON d.client_id = p.client_id AND d.id = p.talk_id
      WHERE p.client_id = a.client_id AND p.id = a.presented_id AND NOT p.retired AND d.current AND NOT d.retired
        AND (p.complete = (coalesce(a.absence, '') ~ '\S') OR (p.complete AND p.late_signatures))
        AND NOT (p.complete AND EXISTS (SELECT FROM signature s
          WHERE s.client_id = d.client_id AND s.document_id = d.id AND s.user_id = a.user_id AND s.mine AND NOT s.again)))
$$;
