-- A lead is known by the company names and numbers of the leads merged into it, and by its own that a merge replaced. Undoing the merge forgets them.
CREATE FUNCTION contact_merged_keys(client int, lead bigint) RETURNS SETOF text LANGUAGE sql STABLE AS $$
  WITH RECURSIVE merged AS (
    SELECT m.merged_id, m.kept -> 'before' AS replaced FROM lead_merge m
      WHERE m.client_id = client AND m.survivor_id = lead AND m.state = 'merged'
    UNION ALL SELECT m.merged_id, m.kept -> 'before' FROM merged p
      JOIN lead_merge m ON m.client_id = client AND m.survivor_id = p.merged_id AND m.state = 'merged')
  SELECT contact_keys(c.company_name, c.company_number, NULL, NULL, NULL) FROM merged m JOIN contact c ON c.client_id = client AND c.id = m.merged_id
  UNION SELECT contact_keys(m.replaced ->> 'companyName', m.replaced ->> 'companyNumber', NULL, NULL, NULL) FROM merged m $$;

CREATE FUNCTION contact_rekey(client int, lead bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE keys text[];
BEGIN
  SELECT array_agg(DISTINCT k) INTO keys FROM (
    SELECT contact_keys(c.company_name, c.company_number, c.phone, c.mobile, c.email) AS k FROM contact c WHERE c.client_id = client AND c.id = lead
    UNION ALL SELECT contact_people_keys(client, lead) UNION ALL SELECT contact_merged_keys(client, lead)) x;
  DELETE FROM contact_key WHERE client_id = client AND contact_id = lead AND key <> ALL (coalesce(keys, '{}'));
  INSERT INTO contact_key (client_id, key, contact_id) SELECT client, k, lead FROM unnest(keys) k ON CONFLICT DO NOTHING;
END $$;

CREATE OR REPLACE FUNCTION contact_rekeyed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM contact_rekey(NEW.client_id, NEW.id);
  RETURN NULL;
END $$;

CREATE FUNCTION lead_merged() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM contact_rekey(NEW.client_id, NEW.survivor_id);
  RETURN NULL;
END $$;
CREATE TRIGGER lead_merged AFTER INSERT OR UPDATE OF state ON lead_merge FOR EACH ROW EXECUTE FUNCTION lead_merged();

-- A person removed by the undo of a merge takes their numbers along.
CREATE OR REPLACE FUNCTION contact_person_told() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    DELETE FROM contact_key k WHERE k.client_id = OLD.client_id AND k.contact_id = OLD.contact_id AND k.key IN (SELECT contact_keys(NULL, NULL, OLD.telephone, OLD.mobile, OLD.email));
    IF TG_OP = 'DELETE' OR OLD.contact_id <> NEW.contact_id THEN PERFORM contact_people_changed(OLD.client_id, OLD.contact_id); END IF;
  END IF;
  IF TG_OP <> 'DELETE' THEN PERFORM contact_people_changed(NEW.client_id, NEW.contact_id); END IF;
  RETURN NULL;
END $$;
DROP TRIGGER contact_person_told ON contact_person;
CREATE TRIGGER contact_person_told AFTER INSERT OR UPDATE OR DELETE ON contact_person FOR EACH ROW EXECUTE FUNCTION contact_person_told();

SELECT contact_rekey(m.client_id, m.survivor_id) FROM (SELECT DISTINCT client_id, survivor_id FROM lead_merge WHERE state = 'merged') m;
