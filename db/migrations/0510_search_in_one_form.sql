-- Texts and searches are compared in one form, without accents, apostrophes, hyphens, punctuation and spaces beside digits.
-- `toSearchForm` in kernel/text/search.ts returns the same, and a test compares the two. A line break always separates words, so that
-- fields are joined with line breaks. To change the form, rebuild every column that is generated with it.
CREATE FUNCTION search_form(given text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT AS $$
BEGIN
  IF given ~ '^[A-Za-z]+( [A-Za-z]+)*$' THEN RETURN lower(given); END IF;
  IF given ~ '[^ -~\n]' THEN
    given := lower(normalize(translate(given, '¨¯´¸', ''), NFKD));
    given := translate(replace(replace(replace(replace(given, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'), 'øłđıðħŧŋς', 'oldidhtnσ');
    given := regexp_replace(regexp_replace(given, '[\t\v\f\r\u0085\u1680\u2028\u2029]', ' ', 'g'),
      '[\u0001-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\u00a1-\u00bf\u00d7\u00f7\u02b0-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u2000-\u2027\u202a-\u2bff\u2e00-\u2e7f\u3001-\u3004\u3008-\u3020\u3030\u3099\u309a\u30fb\ufe00-\ufe0f\ufe20-\ufe2f\ufeff\ufff9-\uffff]+', '', 'g');
  ELSE
    given := lower(given);
  END IF;
  -- A regular expression costs ten times as much as the replacement of the usual signs.
  given := replace(replace(replace(replace(replace(replace(given, '&', ' and '), '.', ''), ',', ''), '-', ''), '''', ''), '@', '');
  IF given ~ '[!-/:-@[-`{-~]' THEN given := regexp_replace(given, '[!-/:-@[-`{-~]+', '', 'g'); END IF;
  IF position('  ' IN given) > 0 THEN given := regexp_replace(given, '  +', ' ', 'g'); END IF;
  IF given ~ ' [0-9]|[0-9] ' THEN given := regexp_replace(given, ' (?=[0-9])|(?<=[0-9]) ', '', 'g'); END IF;
  IF position(E'\n' IN given) > 0 THEN given := regexp_replace(replace(given, E'\n', ' '), '  +', ' ', 'g'); END IF;
  RETURN btrim(given, ' ');
END $$;

-- The numbers of a telephone field as people type them in the United Kingdom, so that they are found by their beginning, too. Short
-- fields have one number; their digits are enough, and much cheaper.
CREATE FUNCTION phone_words(typed text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE digits text;
BEGIN
  IF typed IS NULL OR typed = '' THEN RETURN ''; END IF;
  IF length(typed) > 20 OR typed ~ '[^ -~]' THEN
    digits := regexp_replace(regexp_replace(array_to_string(phone_numbers(typed), E'\n'), '\+44', '0', 'g'), '\+', '', 'g');
    IF digits <> '' THEN RETURN digits; END IF;
  END IF;
  digits := phone_key(typed);
  RETURN CASE WHEN digits <> '' THEN '0' || digits ELSE '' END;
END $$;

-- The text of formatted text, for searching.
CREATE FUNCTION html_words(html text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT replace(replace(replace(regexp_replace(html, '<[^>]*>', ' ', 'g'), '&nbsp;', ' '), '&#39;', ''), '&amp;', '&') $$;

CREATE OR REPLACE FUNCTION cas_words(given text[]) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT array_to_string(given, E'\n') $$;
CREATE OR REPLACE FUNCTION answer_words(given jsonb) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(string_agg(t #>> '{}', E'\n'), '') FROM jsonb_path_query(given, 'strict $.** ? (@.type() == "string")') t
  WHERE t #>> '{}' !~ '^(/api/|data:)' $$;

SET LOCAL maintenance_work_mem = '256MB';

ALTER TABLE client DROP COLUMN search_text, ADD COLUMN search_text text GENERATED ALWAYS AS (search_form(company || E'\n' || regcompno || E'\n' || city || E'\n' ||
  postcode || E'\n' || contactname || E'\n' || contactemail || E'\n' || phone_words(contacttel) || E'\n' || id::text)) STORED;
ALTER TABLE uploaded_document DROP COLUMN search_text, ADD COLUMN search_text text GENERATED ALWAYS AS (search_form(name || E'\n' || label)) STORED;
ALTER TABLE hazard DROP COLUMN search_text, ADD COLUMN search_text text GENERATED ALWAYS AS (search_form(name || E'\n' || description)) STORED;
ALTER TABLE standard_statement DROP COLUMN search_text, ADD COLUMN search_text text GENERATED ALWAYS AS (search_form(title || E'\n' || html_words(text))) STORED;
ALTER TABLE task DROP COLUMN search_text, ADD COLUMN search_text text GENERATED ALWAYS AS (search_form(title || E'\n' || html_words(text))) STORED;
ALTER TABLE policy_arrangement DROP COLUMN search_text, ADD COLUMN search_text text GENERATED ALWAYS AS (search_form(title || E'\n' || html_words(description))) STORED;
ALTER TABLE customer DROP COLUMN search_text, ADD COLUMN search_text text GENERATED ALWAYS AS (search_form(coalesce(email, '') || E'\n' ||
  coalesce(metadata ->> 'contact_name', '') || E'\n' || coalesce(metadata ->> 'company_name', '') || E'\n' || phone_words(metadata ->> 'telephone'))) STORED;
ALTER TABLE quote DROP COLUMN search_text, ADD COLUMN search_text text GENERATED ALWAYS AS (search_form('q-' ||
  lpad(number::text, greatest(5, length(number::text)), '0') || E'\n' || company || E'\n' || email_to)) STORED;
ALTER TABLE document DROP COLUMN search_text, ADD COLUMN search_text text GENERATED ALWAYS AS (search_form(number || E'\n' || title || E'\n' || author || E'\n' ||
  coalesce(content ->> 'project', '') || E'\n' || coalesce(content ->> 'location', '') || E'\n' || coalesce(content ->> 'jobNumber', '') || E'\n' ||
  coalesce(content ->> 'internalJobReference', '') || E'\n' || coalesce(content ->> 'mainContractor', '') || E'\n' || coalesce(content ->> 'substanceNames', ''))) STORED;
ALTER TABLE talk_presented DROP COLUMN search_text, ADD COLUMN search_text text GENERATED ALWAYS AS (search_form(title || E'\n' || presenter || E'\n' || place)) STORED;
ALTER TABLE talk_scheduled DROP COLUMN search_text, ADD COLUMN search_text text GENERATED ALWAYS AS (search_form(title || E'\n' || presenter || E'\n' || place)) STORED;
ALTER TABLE substance DROP COLUMN search_text, ADD COLUMN search_text text GENERATED ALWAYS AS (search_form(name || E'\n' || supplier || E'\n' || cas_words(cas_numbers))) STORED;
ALTER TABLE custom_form DROP COLUMN search_text, ADD COLUMN search_text text GENERATED ALWAYS AS (search_form(title || E'\n' || notes)) STORED;
ALTER TABLE custom_form_answer DROP COLUMN search_text, ADD COLUMN search_text text GENERATED ALWAYS AS (search_form(number || E'\n' || title || E'\n' || subject ||
  E'\n' || answer_words(answers))) STORED;
ALTER TABLE rams_request DROP COLUMN search_text, ADD COLUMN search_text text GENERATED ALWAYS AS (search_form(company || E'\n' || person || E'\n' || job || E'\n' || site)) STORED;
ALTER TABLE do_not_call DROP COLUMN search_text, ADD COLUMN search_text text GENERATED ALWAYS AS (search_form(phone_words(number) || E'\n' || reason || E'\n' || author)) STORED;
ALTER TABLE invoice DROP COLUMN search_text, ADD COLUMN search_text text GENERATED ALWAYS AS (search_form(number || E'\n' || company || E'\n' || po_number)) STORED;
ALTER TABLE charge DROP COLUMN search_text, ADD COLUMN search_text text GENERATED ALWAYS AS (search_form(reference)) STORED;
ALTER TABLE refund DROP COLUMN search_text, ADD COLUMN search_text text GENERATED ALWAYS AS (search_form(reason)) STORED;
ALTER TABLE subscription DROP COLUMN search_text, ADD COLUMN search_text text GENERATED ALWAYS AS (search_form(company)) STORED;
ALTER TABLE dunning DROP COLUMN search_text, ADD COLUMN search_text text GENERATED ALWAYS AS (search_form(company)) STORED;
ALTER TABLE bank_line DROP COLUMN search_text, ADD COLUMN search_text text GENERATED ALWAYS AS (search_form(reference || E'\n' || payer)) STORED;
ALTER TABLE corrective_action DROP COLUMN search_text, ADD COLUMN search_text text GENERATED ALWAYS AS (search_form(number || E'\n' || description || E'\n' ||
  manager_name || E'\n' || source_title)) STORED;

DROP INDEX client_company;
CREATE INDEX client_company ON client USING gin (search_form(company) gin_trgm_ops);
CREATE INDEX client_search ON client USING gin (search_text gin_trgm_ops, client_id);
CREATE INDEX uploaded_document_search ON uploaded_document USING gin (search_text gin_trgm_ops, client_id);
CREATE INDEX policy_arrangement_search ON policy_arrangement USING gin (search_text gin_trgm_ops, client_id);
CREATE INDEX customer_search ON customer USING gin (search_text gin_trgm_ops, client_id);
CREATE INDEX quote_search ON quote USING gin (search_text gin_trgm_ops, client_id);
CREATE INDEX document_search ON document USING gin (search_text gin_trgm_ops, client_id);
CREATE INDEX talk_presented_search ON talk_presented USING gin (search_text gin_trgm_ops, client_id);
CREATE INDEX talk_scheduled_search ON talk_scheduled USING gin (search_text gin_trgm_ops, client_id);
CREATE INDEX substance_search ON substance USING gin (search_text gin_trgm_ops, client_id);
CREATE INDEX custom_form_search ON custom_form USING gin (search_text gin_trgm_ops, client_id);
CREATE INDEX custom_form_answer_search ON custom_form_answer USING gin (search_text gin_trgm_ops, client_id);
CREATE INDEX rams_request_search ON rams_request USING gin (search_text gin_trgm_ops, client_id);
CREATE INDEX do_not_call_search ON do_not_call USING gin (search_text gin_trgm_ops, client_id);
CREATE INDEX invoice_search ON invoice USING gin (search_text gin_trgm_ops, client_id);
CREATE INDEX charge_search ON charge USING gin (search_text gin_trgm_ops, client_id);
CREATE INDEX refund_search ON refund USING gin (search_text gin_trgm_ops, client_id);
CREATE INDEX subscription_search ON subscription USING gin (search_text gin_trgm_ops, client_id);
CREATE INDEX dunning_search ON dunning USING gin (search_text gin_trgm_ops, client_id);
CREATE INDEX bank_line_search ON bank_line USING gin (search_text gin_trgm_ops, client_id);
CREATE INDEX corrective_action_search ON corrective_action USING gin (search_text gin_trgm_ops, client_id);

-- Leads: their words, and the company's name for a search of its own, stand in a table of their own, which is filled anew. `others`
-- counts the further people of a lead.
CREATE OR REPLACE FUNCTION contact_search_text(company_name text, name text, email text, company_number text, city text, postcode text, phone text, mobile text)
RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT search_form(coalesce(company_name, '') || E'\n' || coalesce(name, '') || E'\n' || coalesce(email, '') || E'\n' || coalesce(company_number, '') || E'\n' ||
    coalesce(city, '') || E'\n' || coalesce(postcode, '') || E'\n' || phone_words(phone) || E'\n' || phone_words(mobile)) $$;
ALTER TABLE contact_person DROP COLUMN search_text, ADD COLUMN search_text text GENERATED ALWAYS AS (search_form(coalesce(name, '') || E'\n' ||
  coalesce(job_title, '') || E'\n' || coalesce(email, '') || E'\n' || phone_words(telephone) || E'\n' || phone_words(mobile))) STORED;
CREATE INDEX contact_person_search ON contact_person USING gin (search_text gin_trgm_ops, client_id);

CREATE OR REPLACE FUNCTION contacts_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO contact_count (client_id, owner_id, category, ir35, n)
    SELECT client_id, coalesce(owner_id, 0), category, ir35, count(*) FROM added WHERE NOT retired GROUP BY 1, 2, 3, 4;
  INSERT INTO contact_key (client_id, key, contact_id)
    SELECT a.client_id, k, a.id FROM added a, contact_keys(a.company_name, a.company_number, a.phone, a.mobile, a.email) k;
  INSERT INTO contact_search
    SELECT client_id, id, search_form(coalesce(company_name, '')), contact_search_text(company_name, name, email, company_number, city, postcode, phone, mobile) FROM added;
  RETURN NULL;
END $$;
CREATE OR REPLACE FUNCTION contact_researched() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    DELETE FROM contact_search WHERE client_id = OLD.client_id AND contact_id = OLD.id;
  ELSE
    UPDATE contact_search SET company_name = search_form(coalesce(NEW.company_name, '')),
        search_text = contact_search_text(NEW.company_name, NEW.name, NEW.email, NEW.company_number, NEW.city, NEW.postcode, NEW.phone, NEW.mobile)
          || contact_people_words(NEW.client_id, NEW.id)
      WHERE client_id = NEW.client_id AND contact_id = NEW.id;
  END IF;
  RETURN NULL;
END $$;
DROP INDEX contact_search_text;
TRUNCATE contact_search;
SET LOCAL ROLE stanchion_system;
INSERT INTO contact_search (client_id, contact_id, company_name, search_text)
  SELECT client_id, id, search_form(coalesce(company_name, '')), contact_search_text(company_name, name, email, company_number, city, postcode, phone, mobile)
    || CASE WHEN others > 0 THEN contact_people_words(client_id, id) ELSE '' END
  FROM contact;
SET LOCAL ROLE NONE;
CREATE INDEX contact_search_text ON contact_search USING gin (company_name gin_trgm_ops, search_text gin_trgm_ops, client_id);
ANALYZE contact_search;
