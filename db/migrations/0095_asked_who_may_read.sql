-- Who is asked to sign a document is who may read it: those whom its audience names, its author, and those who approve.

-- May an account that reads documents read one that is in force? As the row rule says (SEEN in documents/rights.ts); a test holds them
-- to one answer.
CREATE FUNCTION reads_in_force(roles text[], username text, audience text[], author text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT roles && '{ROLE_CLIENT_ADMIN,ROLE_SAFETY_ADMIN}' OR audience = '{}' OR audience && roles OR author = username $$;

CREATE OR REPLACE FUNCTION sign_off_settle(c int, k text, n text, who bigint DEFAULT NULL) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  cur record;
  held int;
  today date := (portal_now() AT TIME ZONE 'Europe/London')::date;
BEGIN
  LOOP
    SELECT d.id, d.revision, d.audience, d.author INTO cur FROM document d WHERE d.client_id = c AND d.kind = k AND d.number = n AND d.current FOR NO KEY UPDATE;
    EXIT WHEN FOUND;
    -- Another revision may have come in force while this one was waited for.
    PERFORM FROM document d WHERE d.client_id = c AND d.kind = k AND d.number = n AND d.current;
    IF NOT FOUND THEN RETURN; END IF;
  END LOOP;
  held := signatures_hold_from(c, k, n, cur.revision);

  INSERT INTO sign_off_person (client_id, request_id, document_id, kind, number, user_id, due)
    SELECT DISTINCT ON (u.id) c, r.id, cur.id, k, n, u.id, greatest(r.due, today + r.days)
    FROM sign_off r JOIN user_account u ON u.client_id = c AND NOT u.is_retired AND u.roles && r.readers
      AND reads_in_force(u.roles, u.username, cur.audience, cur.author) AND (r.everybody OR r.role = ANY (u.roles) OR r.people @> to_jsonb(u.id))
    WHERE r.client_id = c AND r.kind = k AND r.number = n AND r.state = 'open' AND (who IS NULL OR u.id = who)
    ORDER BY u.id, r.id
    ON CONFLICT DO NOTHING;

  UPDATE sign_off_person p SET document_id = cur.id, state = s.state, revision = s.revision, signed_at = s.signed_at,
    request_id = coalesce(s.request, p.request_id),
    asked_at = CASE WHEN s.state = 'asked' AND p.state <> 'asked' THEN portal_now() ELSE p.asked_at END,
    due = CASE WHEN s.state = 'asked' AND p.state <> 'asked' THEN greatest(s.due, today + s.days) ELSE p.due END
  FROM (
    SELECT p.id, g.revision, g.signed_at, r.id AS request, r.due, r.days,
      CASE WHEN g.revision >= held THEN 'signed' WHEN u.is_retired THEN 'left' WHEN r.id IS NULL THEN 'out'
           WHEN p.excused_at IS NOT NULL THEN 'excused' ELSE 'asked' END AS state
    FROM sign_off_person p JOIN user_account u ON u.client_id = c AND u.id = p.user_id
    LEFT JOIN LATERAL (
      SELECT r.id, r.due, r.days FROM sign_off r
      WHERE r.client_id = c AND r.kind = k AND r.number = n AND r.state = 'open' AND u.roles && r.readers
        AND reads_in_force(u.roles, u.username, cur.audience, cur.author) AND (r.everybody OR r.role = ANY (u.roles) OR r.people @> to_jsonb(u.id))
      ORDER BY (r.id = p.request_id) DESC, r.id LIMIT 1) r ON true
    LEFT JOIN LATERAL (
      SELECT d.revision, g.signed_at FROM document d JOIN signature g ON g.client_id = c AND g.document_id = d.id AND g.user_id = u.id AND g.mine
      WHERE d.client_id = c AND d.kind = k AND d.number = n AND d.revision <= cur.revision ORDER BY d.revision DESC, g.id LIMIT 1) g ON true
    WHERE p.client_id = c AND p.kind = k AND p.number = n AND (who IS NULL OR p.user_id = who)
  ) s
  WHERE p.client_id = c AND p.id = s.id
    AND (p.document_id, p.state, p.revision, p.signed_at, p.request_id) IS DISTINCT FROM (cur.id, s.state, s.revision, s.signed_at, coalesce(s.request, p.request_id));

  UPDATE document d SET asked_count = w.asked, missing_count = w.missing
  FROM (
    SELECT count(*) FILTER (WHERE p.state IN ('asked', 'signed')) AS asked, count(*) FILTER (WHERE p.state = 'asked') AS missing
    FROM sign_off_person p WHERE p.client_id = c AND p.kind = k AND p.number = n
      AND EXISTS (SELECT FROM sign_off r WHERE r.client_id = c AND r.kind = k AND r.number = n AND r.state = 'open')) w
  WHERE d.client_id = c AND d.id = cur.id AND (d.asked_count, d.missing_count) IS DISTINCT FROM (w.asked, w.missing);
END $$;

-- A document that is in force, and is for others from now on.
CREATE FUNCTION sign_off_for_others() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM sign_off r WHERE r.client_id = NEW.client_id AND r.kind = NEW.kind AND r.number = NEW.number AND r.state = 'open') THEN
    PERFORM sign_off_settle(NEW.client_id, NEW.kind, NEW.number);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER sign_off_for_others AFTER UPDATE OF audience, author ON document FOR EACH ROW
  WHEN (NEW.current AND OLD.current AND (OLD.audience, OLD.author) IS DISTINCT FROM (NEW.audience, NEW.author))
  EXECUTE FUNCTION sign_off_for_others();

-- An author is known by their username.
DROP TRIGGER sign_off_left ON user_account;
CREATE TRIGGER sign_off_left AFTER UPDATE OF roles, is_retired, username ON user_account FOR EACH ROW
  WHEN ((OLD.roles, OLD.is_retired, OLD.username) IS DISTINCT FROM (NEW.roles, NEW.is_retired, NEW.username))
  EXECUTE FUNCTION sign_off_joined();

-- Whoever has been asked for what they may not read is asked no longer.
SELECT sign_off_settle(d.client_id, d.kind, d.number) FROM document d
  WHERE d.current AND d.audience <> '{}'
    AND EXISTS (SELECT FROM sign_off r WHERE r.client_id = d.client_id AND r.kind = d.kind AND r.number = d.number AND r.state = 'open')
  ORDER BY d.id;
