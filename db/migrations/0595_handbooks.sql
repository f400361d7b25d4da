-- The entitlement of a document, and the group of people who may read it. Its type decides both; an empty group means everyone in the audience.
ALTER TABLE document ADD COLUMN pack text NOT NULL DEFAULT 'safety' CHECK (pack IN ('safety', 'employees')),
  ADD COLUMN reader_group text NOT NULL DEFAULT '' CHECK (reader_group IN ('', 'managers'));

-- The groups to which an account belongs. Managers are people to whom others report, heads and deputies of departments, human resources and administrators.
CREATE FUNCTION document_reader_groups(client int, account bigint) RETURNS SETOF text LANGUAGE sql STABLE AS $$
  SELECT '' UNION ALL SELECT 'managers' WHERE
    EXISTS (SELECT FROM user_account u WHERE u.client_id = client AND u.id = account AND u.roles && '{ROLE_CLIENT_ADMIN,ROLE_HR}')
    OR EXISTS (SELECT FROM user_account r WHERE r.client_id = client AND r.manager_id = account AND NOT r.is_retired)
    OR EXISTS (SELECT FROM employee o WHERE o.client_id = client AND o.user_id = account AND NOT o.retired AND (
      EXISTS (SELECT FROM employee r WHERE r.client_id = client AND r.manager_id = o.id AND NOT r.retired)
      OR EXISTS (SELECT FROM department d WHERE d.client_id = client AND o.id IN (d.head_id, d.deputy_id) AND NOT d.retired))) $$;

-- The same as before (0173), for the people in the document's group only.
CREATE OR REPLACE FUNCTION sign_off_settle(c int, k text, n text, who bigint DEFAULT NULL) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  cur record;
  fresh int;
  today date := (portal_now() AT TIME ZONE 'Europe/London')::date;
BEGIN
  LOOP
    SELECT d.id, d.revision, d.audience, d.author, d.reader_group INTO cur FROM document d WHERE d.client_id = c AND d.kind = k AND d.number = n AND d.current FOR NO KEY UPDATE;
    EXIT WHEN FOUND;
    -- Another revision may have come into force while this one was waited for.
    PERFORM FROM document d WHERE d.client_id = c AND d.kind = k AND d.number = n AND d.current;
    IF NOT FOUND THEN RETURN; END IF;
  END LOOP;

  WITH asking AS MATERIALIZED (
    SELECT r.*, ARRAY(SELECT person::bigint FROM jsonb_array_elements_text(r.people) person) AS named
    FROM sign_off r WHERE r.client_id = c AND r.kind = k AND r.number = n AND r.state = 'open')
  INSERT INTO sign_off_person (client_id, request_id, document_id, kind, number, user_id, due)
    SELECT DISTINCT ON (u.id) c, r.id, cur.id, k, n, u.id, greatest(r.due, today + r.days)
    FROM asking r JOIN user_account u ON u.client_id = c AND NOT u.is_retired AND u.roles && r.readers
      AND reads_in_force(u.roles, u.username, cur.audience, cur.author)
      AND (cur.reader_group = '' OR cur.reader_group IN (SELECT document_reader_groups(c, u.id))) AND (r.everybody OR r.role = ANY (u.roles) OR u.id = ANY (r.named))
    WHERE who IS NULL OR u.id = who
    ORDER BY u.id, r.id
    ON CONFLICT DO NOTHING;
  GET DIAGNOSTICS fresh = ROW_COUNT;

  -- People who have just been asked for the first time, and have signed nothing, are stored correctly already.
  IF fresh < (SELECT count(*) FROM sign_off_person p WHERE p.client_id = c AND p.kind = k AND p.number = n AND (who IS NULL OR p.user_id = who))
    OR EXISTS (SELECT FROM document d JOIN signature g ON g.client_id = c AND g.document_id = d.id WHERE d.client_id = c AND d.kind = k AND d.number = n) THEN
    WITH asking AS MATERIALIZED (
      SELECT r.*, ARRAY(SELECT person::bigint FROM jsonb_array_elements_text(r.people) person) AS named
      FROM sign_off r WHERE r.client_id = c AND r.kind = k AND r.number = n AND r.state = 'open'),
    carried AS MATERIALIZED (SELECT h.user_id FROM signatures_carried(c, k, n, cur.revision, who) h)
    UPDATE sign_off_person p SET document_id = cur.id, state = s.state, revision = s.revision, signed_at = s.signed_at,
      request_id = coalesce(s.request, p.request_id),
      asked_at = CASE WHEN s.state = 'asked' AND p.state <> 'asked' THEN portal_now() ELSE p.asked_at END,
      due = CASE WHEN s.state = 'asked' AND p.state <> 'asked' THEN greatest(s.due, today + s.days) ELSE p.due END
    FROM (
      SELECT p.id, g.revision, g.signed_at, r.id AS request, r.due, r.days,
        CASE WHEN g.revision = cur.revision OR p.user_id IN (SELECT h.user_id FROM carried h) THEN 'signed' WHEN u.is_retired THEN 'left' WHEN r.id IS NULL THEN 'out'
             WHEN p.excused_at IS NOT NULL THEN 'excused' ELSE 'asked' END AS state
      FROM sign_off_person p JOIN user_account u ON u.client_id = c AND u.id = p.user_id
      LEFT JOIN LATERAL (
        SELECT r.id, r.due, r.days FROM asking r
        WHERE u.roles && r.readers
          AND reads_in_force(u.roles, u.username, cur.audience, cur.author)
      AND (cur.reader_group = '' OR cur.reader_group IN (SELECT document_reader_groups(c, u.id))) AND (r.everybody OR r.role = ANY (u.roles) OR u.id = ANY (r.named))
        ORDER BY (r.id = p.request_id) DESC, r.id LIMIT 1) r ON true
      LEFT JOIN LATERAL (
        SELECT d.revision, g.signed_at FROM document d JOIN signature g ON g.client_id = c AND g.document_id = d.id AND g.user_id = u.id AND g.mine
        WHERE d.client_id = c AND d.kind = k AND d.number = n AND d.revision <= cur.revision ORDER BY d.revision DESC, g.id LIMIT 1) g ON true
      WHERE p.client_id = c AND p.kind = k AND p.number = n AND (who IS NULL OR p.user_id = who)
    ) s
    WHERE p.client_id = c AND p.id = s.id
      AND (p.document_id, p.state, p.revision, p.signed_at, p.request_id) IS DISTINCT FROM (cur.id, s.state, s.revision, s.signed_at, coalesce(s.request, p.request_id));
  END IF;

  UPDATE document d SET asked_count = w.asked, missing_count = w.missing
  FROM (
    SELECT count(*) FILTER (WHERE p.state IN ('asked', 'signed')) AS asked, count(*) FILTER (WHERE p.state = 'asked') AS missing
    FROM sign_off_person p WHERE p.client_id = c AND p.kind = k AND p.number = n
      AND EXISTS (SELECT FROM sign_off r WHERE r.client_id = c AND r.kind = k AND r.number = n AND r.state = 'open')) w
  WHERE d.client_id = c AND d.id = cur.id AND (d.asked_count, d.missing_count) IS DISTINCT FROM (w.asked, w.missing);
END $$;
