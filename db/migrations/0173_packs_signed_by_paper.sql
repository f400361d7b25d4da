-- A new revision of a RAMS pack is signed again by those whom a paper is for that came, went or was replaced, and by everybody where the pack's own words
-- changed materially. Everybody else stands as signed. It is worked out from papers, audiences, accounts and signatures, as all standing is (0083).

-- The kinds that are signed paper by paper: as `byPaper` says of a kind (documents/kinds/kind.ts); a test holds them to one answer.
CREATE FUNCTION signed_by_paper(kind text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT kind = 'rams_pack' $$;

-- The papers of one revision that another has too, in whatever revision: in their order, with what is noted of them.
CREATE FUNCTION papers_shared(c int, one bigint, other bigint) RETURNS text[] LANGUAGE sql STABLE AS $$
  WITH papers AS (
    SELECT r.document_id, r.position, r.id, r.notes, coalesce('file ' || r.file_id, concat_ws(' ', r.target_client_id, p.kind, p.number)) AS paper
    FROM document_reference r LEFT JOIN document p ON p.client_id = r.target_client_id AND p.id = r.target_id
    WHERE r.client_id = c AND r.document_id IN (one, other))
  SELECT coalesce(array_agg(p.paper || ': ' || p.notes ORDER BY p.position, p.id), '{}') FROM papers p
  WHERE p.document_id = one AND EXISTS (SELECT FROM papers o WHERE o.document_id = other AND o.paper = p.paper) $$;

-- What a form's answers say: without what is empty, and without where they came from.
CREATE FUNCTION words_said(content jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(jsonb_object_agg(a.key, a.value), '{}') FROM jsonb_each(content) a
  WHERE a.key NOT IN ('copiedFrom', 'unconfirmed', 'confirmed') AND a.value NOT IN ('null', '""', '[]', '{}') $$;

-- Does a revision say otherwise, in its own words, than the one that was approved before it? What no other was approved before does.
CREATE FUNCTION says_otherwise(c int, d bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT f.id IS NULL OR (f.title, f.industry_id) IS DISTINCT FROM (m.title, m.industry_id)
    OR words_said(f.content) <> words_said(m.content)
    OR papers_shared(c, f.id, m.id) <> papers_shared(c, m.id, f.id)
  FROM document m LEFT JOIN LATERAL (
    SELECT f.* FROM document f WHERE f.client_id = m.client_id AND f.kind = m.kind AND f.number = m.number AND f.revision < m.revision AND f.approved
    ORDER BY f.revision DESC LIMIT 1) f ON true
  WHERE m.client_id = c AND m.id = d $$;

-- The papers that a revision of a number has, and the one before it has not, or the other way round: up to a revision. Files have no audience: they are everybody's.
CREATE FUNCTION papers_touched(c int, k text, n text, r int)
RETURNS TABLE (revision int, target_client int, kind text, number text, audience text[], author text) LANGUAGE sql STABLE AS $$
  WITH steps AS (
    SELECT d.id, d.revision, lag(d.id) OVER (ORDER BY d.revision) AS former FROM document d
    WHERE signed_by_paper(k) AND d.client_id = c AND d.kind = k AND d.number = n AND d.revision <= r AND (d.approved OR d.revision = r)),
  papers AS (
    SELECT DISTINCT x.document_id, x.target_client_id, x.target_id, x.file_id FROM document_reference x
    WHERE x.client_id = c AND x.document_id IN (SELECT s.id FROM steps s)),
  touched AS (
    SELECT s.revision, p.target_client_id, p.target_id FROM steps s JOIN papers p ON p.document_id IN (s.id, s.former)
    WHERE s.former IS NOT NULL AND NOT EXISTS (
      SELECT FROM papers o WHERE o.document_id IN (s.id, s.former) AND o.document_id <> p.document_id
        AND (o.target_client_id, o.target_id, o.file_id) IS NOT DISTINCT FROM (p.target_client_id, p.target_id, p.file_id)))
  SELECT t.revision, t.target_client_id, p.kind, p.number, p.audience, p.author
  FROM touched t LEFT JOIN document p ON p.client_id = t.target_client_id AND p.id = t.target_id $$;

-- The earliest revision whose signatures hold for a revision: the last one before it, or itself, that changed anything material; in what is signed paper by
-- paper, anything material in its own words.
CREATE OR REPLACE FUNCTION signatures_hold_from(c int, k text, n text, r int) RETURNS int LANGUAGE sql STABLE AS
$$ SELECT coalesce(max(m.revision), r) FROM document m
   WHERE m.client_id = c AND m.kind = k AND m.number = n AND m.revision <= r AND (m.approved OR m.revision = r) AND m.change IS DISTINCT FROM 'minor'
     AND (NOT signed_by_paper(k) OR says_otherwise(c, m.id)) $$;

-- Whose signatures under an earlier revision hold for a revision, of those who have not signed it themselves: of everybody, or of one. Why: a change was minor
-- (`minor`); no paper that is for them was touched (`untouched`); they have signed each that was, in the revision that the pack has (`papers`).
CREATE FUNCTION signatures_carried(c int, k text, n text, r int, who bigint DEFAULT NULL)
RETURNS TABLE (user_id bigint, signature_id bigint, revision int, why text) LANGUAGE sql STABLE AS $$
  WITH held AS MATERIALIZED (SELECT signatures_hold_from(c, k, n, r) AS revision),
  last AS (
    SELECT DISTINCT ON (g.user_id) g.user_id, g.id, d.revision FROM document d
    JOIN signature g ON g.client_id = d.client_id AND g.document_id = d.id AND g.mine AND g.user_id IS NOT NULL
    WHERE d.client_id = c AND d.kind = k AND d.number = n AND d.revision BETWEEN (SELECT h.revision FROM held h) AND r AND (who IS NULL OR g.user_id = who)
    ORDER BY g.user_id, d.revision DESC, g.id),
  touched AS MATERIALIZED (SELECT t.* FROM papers_touched(c, k, n, r) t),
  signed AS MATERIALIZED (
    SELECT g.user_id, p.client_id, p.kind, p.number FROM document d
    JOIN document_reference x ON x.client_id = c AND x.document_id = d.id
    JOIN document p ON p.client_id = x.target_client_id AND p.id = x.target_id
    JOIN signature g ON g.client_id = p.client_id AND g.document_id = p.id AND g.mine
    WHERE signed_by_paper(k) AND d.client_id = c AND d.kind = k AND d.number = n AND d.revision = r AND (who IS NULL OR g.user_id = who)),
  theirs AS (
    SELECT l.user_id, bool_and(EXISTS (
      SELECT FROM signed s WHERE (s.user_id, s.client_id, s.kind, s.number) = (l.user_id, t.target_client, t.kind, t.number))) AS signed
    FROM last l JOIN user_account u ON u.client_id = c AND u.id = l.user_id
    JOIN touched t ON t.revision > l.revision AND (t.audience IS NULL OR reads_in_force(u.roles, u.username, t.audience, t.author))
    GROUP BY l.user_id)
  SELECT l.user_id, l.id, l.revision, CASE
    WHEN NOT signed_by_paper(k) OR EXISTS (
      SELECT FROM document m WHERE m.client_id = c AND m.kind = k AND m.number = n AND m.revision > l.revision AND m.revision <= r
        AND m.change = 'minor' AND (m.approved OR m.revision = r) AND says_otherwise(c, m.id)) THEN 'minor'
    WHEN t.signed THEN 'papers' ELSE 'untouched' END
  FROM last l LEFT JOIN theirs t ON t.user_id = l.user_id
  WHERE l.revision < r AND coalesce(t.signed, true) $$;

-- The same as before (0096); whether an earlier signature holds is asked of the function above.
CREATE OR REPLACE FUNCTION sign_off_settle(c int, k text, n text, who bigint DEFAULT NULL) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  cur record;
  fresh int;
  today date := (portal_now() AT TIME ZONE 'Europe/London')::date;
BEGIN
  LOOP
    SELECT d.id, d.revision, d.audience, d.author INTO cur FROM document d WHERE d.client_id = c AND d.kind = k AND d.number = n AND d.current FOR NO KEY UPDATE;
    EXIT WHEN FOUND;
    -- Another revision may have come in force while this one was waited for.
    PERFORM FROM document d WHERE d.client_id = c AND d.kind = k AND d.number = n AND d.current;
    IF NOT FOUND THEN RETURN; END IF;
  END LOOP;

  WITH asking AS MATERIALIZED (
    SELECT r.*, ARRAY(SELECT person::bigint FROM jsonb_array_elements_text(r.people) person) AS named
    FROM sign_off r WHERE r.client_id = c AND r.kind = k AND r.number = n AND r.state = 'open')
  INSERT INTO sign_off_person (client_id, request_id, document_id, kind, number, user_id, due)
    SELECT DISTINCT ON (u.id) c, r.id, cur.id, k, n, u.id, greatest(r.due, today + r.days)
    FROM asking r JOIN user_account u ON u.client_id = c AND NOT u.is_retired AND u.roles && r.readers
      AND reads_in_force(u.roles, u.username, cur.audience, cur.author) AND (r.everybody OR r.role = ANY (u.roles) OR u.id = ANY (r.named))
    WHERE who IS NULL OR u.id = who
    ORDER BY u.id, r.id
    ON CONFLICT DO NOTHING;
  GET DIAGNOSTICS fresh = ROW_COUNT;

  -- Who has just been asked for the first time, and has signed nothing, stands as they were written.
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
          AND reads_in_force(u.roles, u.username, cur.audience, cur.author) AND (r.everybody OR r.role = ANY (u.roles) OR u.id = ANY (r.named))
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

CREATE OR REPLACE FUNCTION sign_off_in_force() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.change = 'minor' OR signed_by_paper(NEW.kind) THEN
    UPDATE document SET carried_count = (SELECT count(*) FROM signatures_carried(NEW.client_id, NEW.kind, NEW.number, NEW.revision))
    WHERE client_id = NEW.client_id AND id = NEW.id;
  END IF;
  IF EXISTS (SELECT FROM sign_off r WHERE r.client_id = NEW.client_id AND r.kind = NEW.kind AND r.number = NEW.number) THEN
    PERFORM sign_off_settle(NEW.client_id, NEW.kind, NEW.number);
  END IF;
  RETURN NULL;
END $$;

-- The packs in force that have, or had, a document among their papers, settled in the order of their ids: for one person, or all. Their document is locked
-- behind the paper's.
CREATE FUNCTION packs_settle(c int, paper bigint, who bigint DEFAULT NULL) RETURNS void LANGUAGE plpgsql AS $$
DECLARE d record;
BEGIN
  FOR d IN
    SELECT DISTINCT n.kind, n.number, n.id FROM document_reference r JOIN document p ON p.client_id = c AND p.id = r.document_id
    JOIN document n ON n.client_id = c AND n.kind = p.kind AND n.number = p.number AND n.current
    WHERE r.client_id = c AND r.target_id = paper AND signed_by_paper(p.kind)
      AND EXISTS (SELECT FROM sign_off o WHERE o.client_id = c AND o.kind = n.kind AND o.number = n.number AND o.state = 'open') ORDER BY n.id
  LOOP
    PERFORM sign_off_settle(c, d.kind, d.number, who);
  END LOOP;
END $$;

-- Who signs a paper by itself has signed what a pack has of it.
CREATE OR REPLACE FUNCTION sign_off_signed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE d record;
BEGIN
  SELECT p.kind, p.number INTO d FROM document n JOIN sign_off_person p
    ON p.client_id = n.client_id AND p.kind = n.kind AND p.number = n.number AND p.user_id = NEW.user_id
    WHERE n.client_id = NEW.client_id AND n.id = NEW.document_id;
  IF FOUND THEN PERFORM sign_off_settle(NEW.client_id, d.kind, d.number, NEW.user_id); END IF;
  PERFORM packs_settle(NEW.client_id, NEW.document_id, NEW.user_id);
  RETURN NULL;
END $$;

-- A paper that is for others from now on.
CREATE FUNCTION sign_off_paper_for_others() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM packs_settle(NEW.client_id, NEW.id);
  RETURN NULL;
END $$;
CREATE TRIGGER sign_off_paper_for_others AFTER UPDATE OF audience, author ON document FOR EACH ROW
  WHEN (NEW.complete AND (OLD.audience, OLD.author) IS DISTINCT FROM (NEW.audience, NEW.author)) EXECUTE FUNCTION sign_off_paper_for_others();

-- Whoever was asked anew for a pack of which nothing that is for them has changed stands as signed again.
UPDATE document d SET carried_count = (SELECT count(*) FROM signatures_carried(d.client_id, d.kind, d.number, d.revision))
  WHERE d.current AND signed_by_paper(d.kind);
SELECT sign_off_settle(d.client_id, d.kind, d.number) FROM document d
  WHERE d.current AND signed_by_paper(d.kind)
    AND EXISTS (SELECT FROM sign_off r WHERE r.client_id = d.client_id AND r.kind = d.kind AND r.number = d.number AND r.state = 'open')
  ORDER BY d.id;
