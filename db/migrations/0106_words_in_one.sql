-- The company is among the words that a lead is found by, and still has a place of its own: two words are looked for in one column, where
-- the index reads the rows of the rarer one, and not all of the other's.
DROP INDEX contact_search_text;
UPDATE contact_search SET search_text = company_name || ' ' || search_text;
CREATE INDEX contact_search_text ON contact_search USING gin (client_id, company_name gin_trgm_ops, search_text gin_trgm_ops);

DROP FUNCTION contact_search_text(text, text, text, text, text, text, text);
CREATE FUNCTION contact_search_text(company_name text, name text, email text, company_number text, city text, postcode text, phone text, mobile text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT lower(coalesce(company_name, '') || ' ' || coalesce(name, '') || ' ' || coalesce(email, '') || ' ' || coalesce(company_number, '') || ' ' ||
    coalesce(city, '') || ' ' || coalesce(postcode, '') || ' ' || phone_key(phone) || ' ' || phone_key(mobile)) $$;

CREATE OR REPLACE FUNCTION contacts_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO contact_count (client_id, owner_id, category, ir35, n)
    SELECT client_id, coalesce(owner_id, 0), category, ir35, count(*) FROM added WHERE NOT retired GROUP BY 1, 2, 3, 4;
  INSERT INTO contact_key (client_id, key, contact_id)
    SELECT a.client_id, k, a.id FROM added a, contact_keys(a.company_name, a.company_number, a.phone, a.mobile, a.email) k;
  INSERT INTO contact_search
    SELECT client_id, id, lower(coalesce(company_name, '')), contact_search_text(company_name, name, email, company_number, city, postcode, phone, mobile) FROM added;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION contact_researched() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    DELETE FROM contact_search WHERE client_id = OLD.client_id AND contact_id = OLD.id;
  ELSE
    UPDATE contact_search SET company_name = lower(coalesce(NEW.company_name, '')),
        search_text = contact_search_text(NEW.company_name, NEW.name, NEW.email, NEW.company_number, NEW.city, NEW.postcode, NEW.phone, NEW.mobile)
      WHERE client_id = NEW.client_id AND contact_id = NEW.id;
  END IF;
  RETURN NULL;
END $$;
ANALYZE contact_search;
