-- Completed forms are found by what was checked and by their answers, and state how many answers are defects.

-- The texts of answers, without addresses of records and pictures.
CREATE FUNCTION answer_words(given jsonb) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(string_agg(t #>> '{}', ' '), '') FROM jsonb_path_query(given, 'strict $.** ? (@.type() == "string")') t
  WHERE t #>> '{}' !~ '^(/api/|data:)' $$;

ALTER TABLE custom_form_answer
  ADD COLUMN subject text NOT NULL DEFAULT '',
  -- Unknown of forms that were completed before options could stand for a defect.
  ADD COLUMN defects int;
ALTER TABLE custom_form_answer DROP COLUMN search_text;
ALTER TABLE custom_form_answer ADD COLUMN search_text text
  GENERATED ALWAYS AS (lower(number || ' ' || title || ' ' || subject || ' ' || answer_words(answers))) STORED;
CREATE INDEX custom_form_answer_search ON custom_form_answer USING gin (search_text gin_trgm_ops, client_id);
