-- Past 99,999 a quote's reference keeps all its digits, where filling up with zeros would cut the last ones off.
ALTER TABLE quote DROP COLUMN reference, DROP COLUMN search_text;
ALTER TABLE quote
  ADD COLUMN reference text NOT NULL GENERATED ALWAYS AS (
    'Q-' || lpad(number::text, greatest(5, length(number::text)), '0') || CASE WHEN revision > 1 THEN '/' || revision ELSE '' END) STORED,
  ADD COLUMN search_text text GENERATED ALWAYS AS (
    lower('q-' || lpad(number::text, greatest(5, length(number::text)), '0') || ' ' || company || ' ' || email_to)) STORED;
CREATE INDEX quote_search ON quote USING gin (client_id, search_text gin_trgm_ops);
