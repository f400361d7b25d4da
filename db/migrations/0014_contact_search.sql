-- What a lead is found by, beside the lead: a call's outcome changes none of it, and so enters none of it in the index again.
-- The company has a place of its own, so that looking for one does not read through everybody's e-mail addresses.
ALTER TABLE contact DROP COLUMN search_text;
CREATE TABLE contact_search (
  client_id int NOT NULL, contact_id bigint NOT NULL, company_name text NOT NULL, search_text text NOT NULL,
  PRIMARY KEY (client_id, contact_id));
SELECT tenant_table('contact_search');

CREATE FUNCTION contact_search_text(name text, email text, company_number text, city text, postcode text, phone text, mobile text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT lower(coalesce(name, '') || ' ' || coalesce(email, '') || ' ' || coalesce(company_number, '') || ' ' ||
    coalesce(city, '') || ' ' || coalesce(postcode, '') || ' ' || phone_key(phone) || ' ' || phone_key(mobile)) $$;

INSERT INTO contact_search SELECT client_id, id, lower(coalesce(company_name, '')), contact_search_text(name, email, company_number, city, postcode, phone, mobile) FROM contact;
CREATE INDEX contact_search_text ON contact_search USING gin (client_id, company_name gin_trgm_ops, search_text gin_trgm_ops);

-- One trigger for what comes with new leads: the counts, the keys and the words they are found by.
DROP TRIGGER contacts_counted ON contact;
DROP TRIGGER contacts_keyed ON contact;
DROP FUNCTION contacts_counted, contacts_keyed;
CREATE FUNCTION contacts_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO contact_count (client_id, owner_id, category, ir35, n)
    SELECT client_id, coalesce(owner_id, 0), category, ir35, count(*) FROM added WHERE NOT retired GROUP BY 1, 2, 3, 4;
  INSERT INTO contact_key (client_id, key, contact_id)
    SELECT a.client_id, k, a.id FROM added a, contact_keys(a.company_name, a.company_number, a.phone, a.mobile, a.email) k;
  INSERT INTO contact_search
    SELECT client_id, id, lower(coalesce(company_name, '')), contact_search_text(name, email, company_number, city, postcode, phone, mobile) FROM added;
  RETURN NULL;
END $$;
CREATE TRIGGER contacts_added AFTER INSERT ON contact REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION contacts_added();

CREATE FUNCTION contact_researched() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    DELETE FROM contact_search WHERE client_id = OLD.client_id AND contact_id = OLD.id;
  ELSE
    UPDATE contact_search SET company_name = lower(coalesce(NEW.company_name, '')),
        search_text = contact_search_text(NEW.name, NEW.email, NEW.company_number, NEW.city, NEW.postcode, NEW.phone, NEW.mobile)
      WHERE client_id = NEW.client_id AND contact_id = NEW.id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER contact_unsearched AFTER DELETE ON contact FOR EACH ROW EXECUTE FUNCTION contact_researched();
CREATE TRIGGER contact_researched AFTER UPDATE OF company_name, name, email, company_number, city, postcode, phone, mobile ON contact FOR EACH ROW
  WHEN ((OLD.company_name, OLD.name, OLD.email, OLD.company_number, OLD.city, OLD.postcode, OLD.phone, OLD.mobile) IS DISTINCT FROM
        (NEW.company_name, NEW.name, NEW.email, NEW.company_number, NEW.city, NEW.postcode, NEW.phone, NEW.mobile)) EXECUTE FUNCTION contact_researched();
ANALYZE contact_search;
-- Room beside each lead: who holds it just now changes with every call, and its next version stays on the same page.
ALTER TABLE contact SET (fillfactor = 85);
-- Everybody's leads by callback: a list's first page is found, not sorted.
CREATE INDEX contact_callback ON contact (client_id, callback_date, id) WHERE NOT retired;
